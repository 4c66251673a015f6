export {
  listMethods,
  type Names,
  nameIn,
  type PaymentMethod,
  type PaymentMethods,
  type PersonalMethod,
  takesCurrency,
} from "./payment-methods.ts";
