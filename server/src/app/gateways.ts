import type { GatewayAdapter } from "#gateways/index.ts";
import { alipayMerchant } from "#providers/payment/alipay_merchant/adapter.ts";
import { btcpay } from "#providers/payment/btcpay/adapter.ts";
import { mollie } from "#providers/payment/mollie/adapter.ts";
import { paypal } from "#providers/payment/paypal/adapter.ts";
import { razorpay } from "#providers/payment/razorpay/adapter.ts";
import { stripe } from "#providers/payment/stripe/adapter.ts";
import { wechatpayMerchant } from "#providers/payment/wechatpay_merchant/adapter.ts";

/** The payment providers, in the order in which buyers see them. A gateway adds its adapter here, and appears everywhere. */
export const gateways: readonly GatewayAdapter[] = [stripe, paypal, mollie, wechatpayMerchant, alipayMerchant, razorpay, btcpay];
