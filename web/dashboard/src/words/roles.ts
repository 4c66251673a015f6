import { defineWords } from "./language.tsx";

export const roleWords = defineWords({
  en: { owner: "Owner", admin: "Admin", developer: "Developer", reviewer: "Reviewer", accountant: "Accountant", viewer: "Viewer" },
  zh: { owner: "所有者", admin: "管理员", developer: "开发者", reviewer: "核对员", accountant: "会计", viewer: "只读" },
});
