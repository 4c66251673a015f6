import { defineWords } from "../../words/language.tsx";

export const batchWords = defineWords(
  {
    title: "Batches",
    text: "Messages that were sent in together, up to a hundred at a time.",
    batch: "Batch",
    messages: "Messages",
    count: (count: number) => (count === 1 ? "1 message" : `${count} messages`),
    states: "How they fare",
    refused: (count: number) => `${count} refused`,
    refusedTitle: "Refused",
    refusedText: "These were left out and never made. Send them again once they are mended.",
    place: (place: number) => `No. ${place}`,
    noMessages: "None of its messages was accepted.",
    emptyTitle: "No batches yet",
    emptyText: "Your server sends up to a hundred messages in one call.",
  },
  {
    title: "批次",
    text: "一次提交的多条消息，每批最多一百条。",
    batch: "批次",
    messages: "消息",
    count: (count) => `${count} 条消息`,
    states: "状态分布",
    refused: (count) => `${count} 条被拒`,
    refusedTitle: "被拒的消息",
    refusedText: "这些消息未被受理，也没有生成。修正后请重新发送。",
    place: (place) => `第 ${place} 条`,
    noMessages: "没有消息被受理。",
    emptyTitle: "还没有批次",
    emptyText: "您的服务器一次调用最多可发送一百条消息。",
  },
);
