import { defineWords } from "../words/language.tsx";

export const confirmWords = defineWords({
  en: {
    title: "Confirm that it is you",
    text: "This needs proof once more. It is enough for the next ten minutes.",
    password: "Password",
    wrong: "That is not your password.",
    code: "Code from your authenticator app",
    wrongCode: "This code is not right, or was used before.",
    useCode: "Use a code from your authenticator app",
    usePassword: "Use your password",
    usePasskey: "Use a passkey",
    stopped: "No passkey was used: the browser has none for this site, or it was called off.",
    wrongPasskey: "This passkey is not one of yours.",
  },
  zh: {
    title: "请确认是您本人",
    text: "此操作需要再次验证身份，十分钟内无需重复。",
    password: "密码",
    wrong: "密码不正确。",
    code: "身份验证器中的验证码",
    wrongCode: "验证码不正确，或已使用过。",
    useCode: "改用身份验证器的验证码",
    usePassword: "改用密码",
    usePasskey: "使用通行密钥",
    stopped: "没有使用通行密钥：浏览器中没有本站的通行密钥，或操作已取消。",
    wrongPasskey: "这不是您的通行密钥。",
  },
});
