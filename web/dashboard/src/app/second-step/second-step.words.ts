import { defineWords } from "../../words/language.tsx";

export const secondStepWords = defineWords({
  en: {
    title: "Set up two-step sign-in",
    text: (merchant: string) =>
      `${merchant} requires it for everyone on the team. All you need is a minute and an authenticator app, or you can use a passkey instead.`,
    open: "Open the dashboard",
    signOut: "Sign out",
    operator: "Operators need two-step sign-in",
    operatorFrom: "Without it, you'll lose access to the operator pages on",
    operatorClosed: "You can't use the operator pages until you turn it on.",
    turnOn: "Turn it on",
  },
  zh: {
    title: "请设置两步登录",
    text: (merchant) => `${merchant} 要求团队所有成员开启。只需一分钟和一个身份验证器应用，也可以改用通行密钥登录。`,
    open: "进入控制台",
    signOut: "退出登录",
    operator: "运营人员须开启两步登录",
    operatorFrom: "如未开启，以下时间起无法访问运营页面：",
    operatorClosed: "开启之前，无法访问运营页面。",
    turnOn: "去开启",
  },
});
