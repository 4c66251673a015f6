/** Offered first; any that a project or an order already has is added to them. */
export const currencies = ["CNY", "USD", "EUR", "HKD", "JPY", "GBP", "SGD", "TWD"];
