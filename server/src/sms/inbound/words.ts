import { defineWords } from "#platform/index.ts";

/** Keywords, in capitals and surrounded by spaces, and the replies to them. */
export const words = defineWords({
  en: {
    stop: "STOP STOPALL UNSUBSCRIBE UNSUB CANCEL END QUIT REVOKE OPTOUT",
    start: "START UNSTOP SUBSCRIBE RESUBSCRIBE OPTIN",
    help: "HELP INFO",
    stopped: "You have been unsubscribed and won't receive any more messages from this number. Reply START to resubscribe.",
    started: "You have resubscribed to messages from this number. Reply HELP for help or STOP to unsubscribe.",
    helped: (name: string, contact: string) => `You're receiving messages from ${name}. ${contact}Reply STOP to unsubscribe.`,
    contact: (address: string) => `For help, email ${address}. `,
  },
  zh: {
    stop: "退订 退訂 取消订阅 取消訂閱 取消 停止 拒收 不再接收",
    start: "订阅 訂閱 重新订阅 重新訂閱 恢复 恢復 开始 開始",
    help: "帮助 幫助 说明 說明 客服",
    stopped: "您已退订，将不再收到此号码发送的短信。如需重新订阅，请回复“订阅”。",
    started: "您已重新订阅，将继续收到此号码发送的短信。退订请回复“退订”，如需帮助请回复“帮助”。",
    helped: (name: string, contact: string) => `您收到的是${name}发送的短信。${contact}退订请回复“退订”。`,
    contact: (address: string) => `如需帮助，请发邮件至 ${address}。`,
  },
});

/** What people of one country send instead of STOP; elsewhere a single letter may mean anything. */
export const shortStops = { words: new Set(["T", "TD"]), callingCode: "+86", language: "zh" } as const;

/**
 * What people of other countries send instead of STOP, or their carriers tell them to send. Tillpost replies in English, which is better
 * than ignoring them: a message that only consists of one of these words means nothing else.
 */
export const stopsElsewhere = {
  language: "en",
  words: [
    ...["ARRET", "STOPSMS", "DESABONNER", "ALTO", "BAJA", "PARAR", "PARA", "CANCELAR", "DETENER", "SAIR", "PARE", "DESCADASTRAR"],
    ...["STOPP", "STOPPEN", "ABMELDEN", "ABBESTELLEN", "AFMELDEN", "AVSLUTA", "AVMELD", "AFMELD", "ANNULLA", "BASTA", "DISISCRIVIMI"],
    ...["REZYGNUJE", "WYPISZ", "ODHLASIT", "LEIRATKOZAS", "DEZABONARE", "IPTAL", "RET", "BERHENTI", "HUY", "TUCHOI"],
    ...["СТОП", "ОТПИСАТЬСЯ", "ОТПИСКА", "ВІДПИСАТИСЯ", "ΣΤΟΠ", "ΤΕΛΟΣ", "ΔΙΑΓΡΑΦΗ"],
    ...[
      "配信停止",
      "解除",
      "ストップ",
      "수신거부",
      "중지",
      "해지",
      "توقف",
      "إيقاف",
      "إلغاء",
      "قف",
      "הסר",
      "עצור",
      "रोकें",
      "बंद",
      "หยุด",
      "ยกเลิก",
    ],
  ],
} as const;
