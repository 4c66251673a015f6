/**
 * A sentence in Chinese without the blanks that stand around a Latin name where the name turned out to be Chinese, or to end in a full-width sign:
 * "向 支付宝 查询" becomes "向支付宝查询".
 */
export function closeUp(text: string): string {
  return text.replace(/(?<=[\p{Script=Han}（）]) (?=[\p{Script=Han}（）])/gu, "");
}

/** A number that the browser wrote against a Chinese word, with the blank that our own sentences have: "30分钟前" becomes "30 分钟前". */
export function spaceOut(text: string): string {
  return text.replace(/(?<=\d)(?=\p{Script=Han})/gu, " ");
}
