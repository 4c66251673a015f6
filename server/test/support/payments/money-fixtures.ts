import type { TestApp } from "#test/support/app/test-app.ts";

/** A transfer as a statement shows it. */
export const receiptOf = (app: TestApp, amount_minor: number, external_id: string | null) => ({
  channel: "wechat" as const,
  amount_minor,
  occurred_at: app.ctx.now(),
  external_id,
  payer_hint: null,
  remark: null,
  source: "statement" as const,
});

/** A statement with `rows` transfers. */
export const statementOf = (rows: number) =>
  Buffer.from(
    [
      "交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,交易单号,商户单号,备注",
      ...Array.from(
        { length: rows },
        (_, index) =>
          `2026-11-20 16:0${index}:00,二维码收款,张三,收款,收入,¥${index + 1}.00,/,已收钱,42000012342026112000000000${index},/,/`,
      ),
    ].join("\n"),
  );
