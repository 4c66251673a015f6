/**
 * A Chinese sentence without the blanks around a Latin name if the name turned out to be Chinese, or to end in a full-width character: "向
 * 支付宝 查询" becomes "向支付宝查询".
 */
export function closeUp(text: string): string {
  return text.replace(/(?<=[\p{Script=Han}（）]) (?=[\p{Script=Han}（）])/gu, "");
}

/** Adds the blank that our own sentences have between a number and a Chinese word that the browser joined: "30分钟前" becomes "30 分钟前". */
export function spaceOut(text: string): string {
  return text.replace(/(?<=\d)(?=\p{Script=Han})/gu, " ");
}
