import { useWords } from "./language.tsx";
import { shared } from "./shared.ts";

/** Names of the channels as buyers know them; one that has none here is shown as the API writes it. */
export function useGatewayName(): (gateway: string) => string {
  const { wechat, alipay } = useWords(shared);
  const names: Record<string, string> = { wechatpay: wechat, wechat, alipay };
  return (gateway) => names[gateway] ?? gateway;
}
