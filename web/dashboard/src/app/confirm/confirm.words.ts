import { defineWords } from "../../words/language.tsx";

export const confirmWords = defineWords({
  en: {
    title: "Confirm it's you",
    text: "This action needs an extra check. You won't be asked again for ten minutes.",
    password: "Password",
    wrong: "Incorrect password.",
    code: "Code from your authenticator app",
    wrongCode: "Incorrect code, or it was already used.",
    useCode: "Use a code from your authenticator app",
    usePassword: "Use your password",
    usePasskey: "Use a passkey",
    stopped: "No passkey was used. Your browser has none for this site, or you canceled.",
    wrongPasskey: "This passkey doesn't belong to your account.",
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
