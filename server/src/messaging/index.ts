export type { BounceKind, EmailTransport, Parcel, SendOutcome } from "./email/transport.ts";
