import { useCallback } from "react";
import { useWords } from "./language.tsx";
import { shared } from "./shared.ts";

/** Names of the channels as buyers know them; one that has none here is shown as the API writes it. */
export function useGatewayName(): (gateway: string) => string {
  const { wechat, alipay } = useWords(shared);
  return useCallback((gateway) => (({ wechatpay: wechat, wechat, alipay }) as Record<string, string>)[gateway] ?? gateway, [wechat, alipay]);
}
