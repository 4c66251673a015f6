import { defineWords } from "../words/language.tsx";

export const confirmWords = defineWords(
  {
    title: "Confirm that it is you",
    text: "This needs your password once more. It is enough for the next ten minutes.",
    password: "Password",
    wrong: "That is not your password.",
  },
  { title: "请确认是您本人", text: "此操作需要再次输入密码，十分钟内无需重复。", password: "密码", wrong: "密码不正确。" },
);
