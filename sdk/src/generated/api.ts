// Written by `npm run generate` from the routes of the server. Do not edit.

export interface Objects {
  /** The one shape of every answer from 400 up. */
  Error: {
    /** What went wrong. */
    error: {
      /** Family of the error. */
      type: string;
      /** The error's permanent name, for programs. */
      code: string;
      /** A sentence for people. It may change. */
      message: string;
      /** The parameter at fault, with a dotted path. */
      param?: string;
      /** Every fault that was found, when there can be several. */
      details?: {
        /** The parameter at fault. */
        param?: string;
        /** What is wrong with it. */
        code?: string;
        /** A sentence for people. */
        message?: string;
      }[];
      /** Where this code is explained. */
      doc_url: string;
      /** The same id as in the `Request-Id` header; name it when you ask for help. */
      request_id: string;
    };
  };
  /** A merchant account: it owns projects. */
  Merchant: {
    /** The merchant's id. */
    id: string;
    /** Always `merchant`. */
    object: "merchant";
    /** The name that people see. */
    display_name: string;
    /** Only a verified merchant can take LIVE money. */
    verification_status: "pending" | "verified" | "rejected";
    /** When the merchant was verified. */
    verified_at: string | null;
    /** Plan that sets the limits of the messaging API. */
    messaging_tier: "free" | "starter" | "pro" | "enterprise";
    /** Grows by one with each change. */
    version: number;
    /** When the account was opened. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
  };
  /** A business unit or site. Everything about payments belongs to one. */
  Project: {
    /** The project's id. */
    id: string;
    /** Always `project`. */
    object: "project";
    /** The merchant that owns the project. */
    merchant_id: string;
    /** The project's name. */
    name: string;
    /** Short name, unique within the merchant. */
    slug: string;
    /** Currency that new orders of this project usually have. */
    default_currency: string;
    /** What the project set for itself, such as its branding. */
    settings: Record<string, unknown>;
    /** Grows by one with each change. */
    version: number;
    /** When the project was opened. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
  };
  /** Something to be paid, with its payment link. */
  Order: {
    /** The order's id. */
    id: string;
    /** Always `order`. */
    object: "order";
    /** The project that the order belongs to. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The merchant's own name for it; the id when none was given. */
    reference: string;
    /** Where the order stands. Refunds do not change it. */
    status: "unpaid" | "pending_verify" | "paid" | "failed" | "expired" | "canceled";
    /** What is particular about how it was paid. */
    flags: ("paid_late" | "underpaid" | "overpaid" | "manually_verified" | "duplicate_payment" | "disputed")[];
    /** Grows by one with each change. */
    version: number;
    /** The amount in minor units. */
    amount_minor: number;
    /** The currency. */
    currency: string;
    /** What has arrived for it. */
    amount_received_minor: number;
    /** What was paid back. */
    amount_refunded_minor: number;
    /** What the buyer sees beside the amount. */
    description: string | null;
    /** The merchant's own keys and values; they come with every event of the order. */
    metadata: Record<string, string>;
    /** Who pays, as far as the merchant said. */
    customer: {
      /** Name. */
      name: string | null;
      /** E-mail address. */
      email: string | null;
      /** Telephone number. */
      phone: string | null;
    };
    /** Where the page leads after payment. */
    return_url: string | null;
    /** Language of the page; `auto` leaves it to the browser. */
    locale: string;
    /** The newest link to the hosted page. */
    payment_link: {
      /** The link's id. */
      id: string;
      /** Always `payment_link`. */
      object: "payment_link";
      /** The secret in the link's address. */
      token: string;
      /** Send the buyer here. */
      url: string;
      /** Whether the link can be paid. */
      status: "active" | "paid" | "expired" | "revoked";
      /** Until when it can be paid. */
      expires_at: string;
      /** When it was issued. */
      created_at: string;
    };
    /** The newest attempt to pay. */
    latest_payment_session: {
      /** The session's id. */
      id: string;
      /** Always `payment_session`. */
      object: "payment_session";
      /** The order that is paid. */
      order_id: string;
      /** False in the TEST environment. */
      livemode: boolean;
      /** The gateway. */
      gateway: string;
      /** The collection profile behind a personal-QR gateway. */
      channel: string;
      /** Where the payment stands. */
      status: "pending" | "processing" | "pending_verify" | "succeeded" | "failed" | "expired" | "canceled";
      /** What the order asks for. */
      amount_minor: number;
      /** What the buyer is asked to pay; lower by a little when amounts tell payments apart. */
      payable_amount_minor: number;
      /** The currency. */
      currency: string;
      /** How a payment is told from others. */
      matching_mode: "exact" | "remark" | "unique_amount";
      /** What the buyer writes into the transfer's note, when payments are matched by it. */
      remark_code: string | null;
      /** What the buyer does next; null when there is nothing to do any more. */
      next_action: {
        /** Show the code so that the buyer can scan or save it. */
        type: "display_qr";
        /** The code's text; null when only a picture of it exists. */
        qr_payload?: string | null;
        /** The code as a drawing. */
        qr_svg_url?: string | null;
        /** The code as a picture, which a phone can save and scan. */
        qr_png_url?: string;
        /** The merchant's words for the buyer, by language tag. */
        instructions?: Record<string, string>;
      };
      /** Until when the code is offered. */
      expires_at: string;
      /** When the buyer said that they paid. */
      reported_at: string | null;
      /** When the payment was confirmed. */
      verified_at: string | null;
      /** Why it failed. */
      failure_code: string | null;
      /** When it was started. */
      created_at: string;
      /** When it was last changed. */
      updated_at: string;
    };
    /** Why it ended without payment: `expired`, `canceled` or `proof_rejected`. */
    failure_code: string | null;
    /** Until when it can be paid. */
    expires_at: string;
    /** When it was paid. */
    paid_at: string | null;
    /** When it failed. */
    failed_at: string | null;
    /** When it was canceled. */
    canceled_at: string | null;
    /** When it was created. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
    /** All attempts to pay, with `expand[]=payment_sessions`. */
    payment_sessions?: Objects["PaymentSession"][];
    /** All proofs, with `expand[]=vouchers`. */
    vouchers?: Objects["Voucher"][];
    /** All refunds, with `expand[]=refunds`. */
    refunds?: Record<string, unknown>[];
  };
  /** One attempt to pay an order through one gateway. */
  PaymentSession: {
    /** The session's id. */
    id: string;
    /** Always `payment_session`. */
    object: "payment_session";
    /** The order that is paid. */
    order_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The gateway. */
    gateway: string;
    /** The collection profile behind a personal-QR gateway. */
    channel: string;
    /** Where the payment stands. */
    status: "pending" | "processing" | "pending_verify" | "succeeded" | "failed" | "expired" | "canceled";
    /** What the order asks for. */
    amount_minor: number;
    /** What the buyer is asked to pay; lower by a little when amounts tell payments apart. */
    payable_amount_minor: number;
    /** The currency. */
    currency: string;
    /** How a payment is told from others. */
    matching_mode: "exact" | "remark" | "unique_amount";
    /** What the buyer writes into the transfer's note, when payments are matched by it. */
    remark_code: string | null;
    /** What the buyer does next; null when there is nothing to do any more. */
    next_action: {
      /** Show the code so that the buyer can scan or save it. */
      type: "display_qr";
      /** The code's text; null when only a picture of it exists. */
      qr_payload?: string | null;
      /** The code as a drawing. */
      qr_svg_url?: string | null;
      /** The code as a picture, which a phone can save and scan. */
      qr_png_url?: string;
      /** The merchant's words for the buyer, by language tag. */
      instructions?: Record<string, string>;
    };
    /** Until when the code is offered. */
    expires_at: string;
    /** When the buyer said that they paid. */
    reported_at: string | null;
    /** When the payment was confirmed. */
    verified_at: string | null;
    /** Why it failed. */
    failure_code: string | null;
    /** When it was started. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
  };
  /** A proof of payment that waits for, or had, a reviewer's word. */
  Voucher: {
    /** The proof's id. */
    id: string;
    /** Always `voucher`. */
    object: "voucher";
    /** False in the TEST environment. */
    livemode: boolean;
    /** The order that was paid. */
    order_id: string;
    /** The attempt that it proves. */
    payment_session_id: string;
    /** What became of it. */
    status: "submitted" | "approved" | "rejected" | "superseded";
    /** The picture. */
    asset_id: string | null;
    /** Shows the picture for 15 minutes. */
    asset_url: string | null;
    /** The transfer's number, as the payer typed it. */
    transaction_reference: string | null;
    /** Who paid, as the payer typed it. */
    payer_name: string | null;
    /** When the payer says that they paid. */
    paid_at: string | null;
    /** The amount that the payer says was sent. */
    amount_minor: number | null;
    /** A word from the payer. */
    note: string | null;
    /** Hash of the picture as it was sent. */
    sha256: string | null;
    /** What a reviewer should look at: `duplicate_image`, `duplicate_reference`, `amount_mismatch`, `time_mismatch`. */
    risk_flags: string[];
    /** Who decided. */
    reviewed_by: string | null;
    /** When. */
    reviewed_at: string | null;
    /** Why it was rejected. */
    rejection_reason: string | null;
    /** When it was submitted. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
  };
  /** Money that arrived but settled no order by itself. */
  PaymentException: {
    /** The exception's id. */
    id: string;
    /** Always `payment_exception`. */
    object: "payment_exception";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** What is wrong with it. */
    kind: "late" | "duplicate" | "underpaid" | "overpaid" | "unmatched" | "mismatch";
    /** Whether somebody decided about it. */
    status: "open" | "resolved";
    /** The order it seems to be for. */
    order_id: string | null;
    /** The attempt it seems to belong to. */
    payment_session_id: string | null;
    /** The receipt that told of it. */
    receipt_id: string | null;
    /** Where the money is. */
    gateway: string;
    /** The transfer's number at the gateway. */
    external_id: string;
    /** The amount in minor units. */
    amount_minor: number;
    /** The currency. */
    currency: string;
    /** The transaction that holds the money. */
    transaction_id: string;
    /** What a person needs to know to decide. */
    detail: Record<string, unknown>;
    /** What was decided: `accept` or `ignore`. */
    resolution: string | null;
    /** Why. */
    resolution_note: string | null;
    /** The order that the money was given to. */
    resolved_order_id: string | null;
    /** Who decided. */
    resolved_by: string | null;
    /** When. */
    resolved_at: string | null;
    /** Grows by one with each change. */
    version: number;
    /** When it was noticed. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
  };
  /** One movement of money in the ledger. */
  Transaction: {
    /** The transaction's id. */
    id: string;
    /** Always `transaction`. */
    object: "transaction";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** What moved. */
    type: "payment" | "refund" | "fee" | "adjustment" | "reversal" | "payout";
    /** `completed`, `held` until somebody decides about it, or `reversed`. */
    status: string;
    /** Where the money is. */
    gateway: string;
    /** The currency. */
    currency: string;
    /** Signed, seen from the wallet: what leaves it is negative. */
    amount_minor: number;
    /** What of the amount never reached the wallet: a shortfall that was granted. Fees of a gateway are transactions of their own. */
    fee_minor: number;
    /** What the wallet gained or lost. The wallet's balance is the sum of these. */
    net_minor: number;
    /** The order. */
    order_id: string | null;
    /** The order's reference. */
    reference: string | null;
    /** The attempt to pay. */
    payment_session_id: string | null;
    /** The transfer's number at the gateway. */
    external_transaction_id: string | null;
    /** The transaction that this one takes back. */
    reverses: string | null;
    /** In words. */
    description: string | null;
    /** Who or what booked it. */
    created_by: string;
    /** When it was booked. */
    created_at: string;
  };
  /** What the ledger knows of the money at one gateway in one currency. */
  Wallet: {
    /** The wallet's id. */
    id: string;
    /** Always `wallet`. */
    object: "wallet";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The currency. */
    currency: string;
    /** Where the money is. */
    gateway: string;
    /** `external`: the money lies in the merchant's own account; the wallet is a record, not a purse. */
    custody: "external" | "platform";
    /** All of it. */
    balance_minor: number;
    /** What is booked to orders. */
    available_minor: number;
    /** What waits for somebody's decision. */
    pending_minor: number;
    /** What was paid back in all. */
    refunded_minor: number;
    /** When the first money came. */
    created_at: string;
    /** When it last changed. */
    updated_at: string;
  };
  /** Something that happened, as webhooks deliver it. */
  Event: {
    /** The event's id; the same in every delivery. */
    id: string;
    /** Its name. */
    event: string;
    /** When it happened. */
    created_at: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The objects that it is about, and `project_id`. */
    data: Record<string, unknown>;
  };
  /** Says that an object is gone. */
  Deleted: {
    /** Its id. */
    id: string;
    /** What it was. */
    object: string;
    /** Always true. */
    deleted: true;
  };
  /** A picture, kept as it was drawn anew: without metadata, and never the bytes that were sent. */
  Asset: {
    /** The asset's id. */
    id: string;
    /** Always `asset`. */
    object: "asset";
    /** False in the TEST environment. */
    livemode: boolean;
    /** What it is for. */
    purpose: "collection_qr" | "payment_proof" | "logo";
    /** Format of the stored picture. */
    content_type: "image/jpeg" | "image/png";
    /** Size of the stored picture. */
    size_bytes: number;
    /** Pixels across. */
    width: number;
    /** Pixels down. */
    height: number;
    /** Hash of the stored picture, hexadecimal. */
    sha256: string;
    /** Shows the picture to whoever holds the address, for 15 minutes. */
    url: string;
    /** What the QR code in a `collection_qr` says; null when none was read. */
    decoded: {
      /** The code's text, unchanged. */
      payload: string;
    };
    /** Why nothing was read: `no_code`, or `several_codes` that say different things. */
    decode_fault: string | null;
    /** When it was uploaded. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
  };
  /** The personal receiving code of one channel, and how payments to it are told apart. */
  CollectionProfile: {
    /** The profile's id. */
    id: string;
    /** Always `collection_profile`. */
    object: "collection_profile";
    /** The project. */
    project_id: string;
    /** Whose code it is. The gateway `wechatpay` uses the channel `wechat`. */
    channel: "wechat" | "alipay";
    /** False in the TEST environment. */
    livemode: boolean;
    /** Whether buyers are offered the channel. */
    enabled: boolean;
    /** The code's text, exactly as read; null when only a picture is kept. */
    qr_payload: string | null;
    /** The picture that the code was read from. */
    qr_asset_id: string | null;
    /** Shows that picture for 15 minutes. */
    qr_image_url: string | null;
    /** Name that buyers see in their wallet. */
    payee_name: string | null;
    /** What buyers are told beside the code, by language. */
    instructions: Record<string, string>;
    /** How receipts find their payments. */
    matching: {
      /** How a receipt finds its payment. `exact`: a person decides. `remark`: the buyer types a code into the transfer's note. `unique_amount`: each open payment is asked for an amount of its own, a little lower. */
      mode: "exact" | "remark" | "unique_amount";
      /** `unique_amount`: how much less may be asked for, in minor units. */
      max_offset_minor: number;
      /** `unique_amount`: refuse a payment when no amount is free, instead of leaving it to a person. */
      strict: boolean;
    };
    /** How long a buyer has to pay. */
    session_minutes: number;
    /** Bounds of what the code is used for. */
    limits: {
      /** Smallest amount that is offered this channel. */
      min_minor: number | null;
      /** Largest amount that is offered this channel. */
      max_minor: number | null;
      /** No payment is begun that would take the day, in Beijing time, beyond this. */
      daily_total_minor: number | null;
    };
    /** What to know about collecting with a personal code, by language. */
    notice: Record<string, string>;
    /** Grows by one with each change. */
    version: number;
    /** When the channel was first configured. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
    /** Who changed it last. */
    updated_by: string;
  };
  /** Word from a wallet that money came in. */
  Receipt: {
    /** The receipt's id. */
    id: string;
    /** Always `receipt`. */
    object: "receipt";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The wallet. */
    channel: "wechat" | "alipay";
    /** The currency. */
    currency: string;
    /** What came in, in minor units. */
    amount_minor: number;
    /** When it came in. */
    occurred_at: string;
    /** The wallet's number of the transfer. */
    external_id: string | null;
    /** The transfer's note. */
    remark: string | null;
    /** What the wallet says of the payer. */
    payer_hint: string | null;
    /** Who told of it. */
    source: "listener" | "statement" | "manual";
    /** `matched`: it was booked. `linked`: it shows money that was booked already. `unmatched`: it waits for a person. */
    status: "unmatched" | "matched" | "linked" | "ignored";
    /** The payment that it belongs to. */
    payment_session_id: string | null;
    /** On a new receipt that waits: the payments it may belong to. */
    suggested_session_ids?: string[];
    /** When it was recorded. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
  };
  /** What a statement brought. */
  ReceiptImport: {
    /** Always `receipt_import`. */
    object: "receipt_import";
    /** Whose statement it was. */
    channel: "wechat" | "alipay";
    /** Rows that are money received. */
    total: number;
    /** Receipts that were new. */
    created: number;
    /** New receipts that were booked. */
    matched: number;
    /** New receipts that show money booked already. */
    linked: number;
    /** New receipts that wait for a person. */
    unmatched: number;
    /** Rows that look like money received and could not be taken. */
    faults: {
      /** Line of the file. */
      line: number;
      /** What is wrong. */
      code: string;
      /** A sentence for people. */
      message: string;
    }[];
  };
  /** An address of yours that is told of events. */
  Webhook: {
    /** The endpoint's id. */
    id: string;
    /** Always `webhook`. */
    object: "webhook";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** Where events are sent. */
    url: string;
    /** What it is told of. */
    events: string[];
    /** A note of yours. */
    description: string | null;
    /** Disabled endpoints are sent nothing. */
    status: "enabled" | "disabled";
    /** Why it is disabled: `requested`, `failing` (five days without one success) or `gone` (it answered 410). */
    disabled_reason: string | null;
    /** Signs deliveries. Shown when it is made and never again. */
    secret: string | null;
    /** The end of the secret that keys `X-Service-Signature`. */
    secret_last4: string;
    /** During a roll, the end of the secret that takes over. */
    next_secret_last4: string | null;
    /** During a roll, when it takes over by itself. */
    next_secret_at: string | null;
    /** Version of the payloads. */
    api_version: string;
    /** Attempts that failed since the last success. */
    consecutive_failures: number;
    /** When the first of them was made. */
    failing_since: string | null;
    /** When a delivery last succeeded, to within seconds. */
    last_success_at: string | null;
    /** Too many attempts failed: nothing is sent until then, and no attempt is spent. */
    paused_until: string | null;
    /** Grows by one with each change of the endpoint itself. */
    version: number;
    /** When it was registered. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
  };
  /** One attempt to deliver an event. */
  WebhookAttempt: {
    /** The attempt's id. */
    id: string;
    /** Always `webhook_attempt`. */
    object: "webhook_attempt";
    /** False in the TEST environment. */
    livemode: boolean;
    /** The endpoint. */
    webhook_id: string;
    /** The event; the same in each of its attempts. */
    event_id: string;
    /** The event's name. */
    event: string;
    /** Counts the attempts of this event at this endpoint, from 1. */
    attempt: number;
    /** Why it was made. */
    trigger: "automatic" | "manual" | "test";
    /** How it ended. */
    status: "started" | "succeeded" | "failed";
    /** What was sent. */
    request: {
      /** Where it went. */
      url: string;
      /** The headers, signatures left out. */
      headers: Record<string, string>;
      /** The body, byte for byte. */
      body: string;
    };
    /** What came back; null when nothing did. */
    response: {
      /** The status code. */
      status: number;
      /** The headers. */
      headers: Record<string, string>;
      /** The first 8 KiB. */
      body: string;
      /** Whether there was more. */
      truncated: boolean;
    };
    /** `timeout`, `dns`, `connect`, `tls`, `egress_blocked`, `http_error` (no 2xx) or `worker_lost` (our process died; it is sent again). */
    error_code: string | null;
    /** How long the exchange took. */
    duration_ms: number | null;
    /** When the next automatic attempt was due, as planned then. */
    next_attempt_at: string | null;
    /** When it began. */
    created_at: string;
  };
  /** Events that were scheduled to be sent again. */
  WebhookReplay: {
    /** Always `webhook_replay`. */
    object: "webhook_replay";
    /** The endpoint. */
    webhook_id: string;
    /** From when on. */
    since: string;
    /** How many events. */
    scheduled: number;
    /** More remain than one call takes. Call again. */
    has_more: boolean;
  };
  /** A domain that mail is sent from. */
  Domain: {
    /** The domain's id. */
    id: string;
    /** Always `domain`. */
    object: "domain";
    /** The project that it belongs to. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** Its name, in lower case and ASCII. */
    name: string;
    /** `verified` may be sent from; `failed` was not found in three days of looking. */
    status: "pending" | "verified" | "failed";
    /** What to publish. */
    records: {
      /** The record's type. */
      type: "TXT" | "CNAME";
      /** Its whole name. */
      name: string;
      /** What it must hold. */
      value: string;
      /** What it is for. `verification` and `dkim` are needed to send; the others make mail arrive better. */
      purpose: "verification" | "dkim" | "spf" | "dmarc" | "return_path";
      /** What the last check found: `failed` is not there, or not as it must be. */
      status: "pending" | "verified" | "failed";
    }[];
    /** How often its records were looked for. */
    checks: number;
    /** When they were last looked for. */
    checked_at: string | null;
    /** When they are looked for next; null: when you ask. */
    next_check_at: string | null;
    /** Since when a verified domain's records cannot be found any more. */
    missing_since: string | null;
    /** When it was verified. */
    verified_at: string | null;
    /** When it was given up. */
    failed_at: string | null;
    /** Grows by one with each check. */
    version: number;
    /** When it was added. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
  };
  /** An address that nothing more is sent to. */
  Suppression: {
    /** The suppression's id. */
    id: string;
    /** Always `suppression`. */
    object: "suppression";
    /** The project that keeps it. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** By which way nothing is sent. */
    channel: "email" | "sms" | "call";
    /** The address, in lower case. */
    address: string;
    /** Why: the mailbox does not exist, a complaint, a wish to be left alone, or by hand. */
    reason: "bounce" | "complaint" | "unsubscribe" | "manual";
    /** The message that was the cause. */
    source_id: string | null;
    /** Until when; null: for good. */
    expires_at: string | null;
    /** When it was added. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
  };
}

export interface Routes {
  /** Retrieve the merchant */
  "GET /api/v1/merchant": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["Merchant"];
  };
  /** List projects */
  "GET /api/v1/projects": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Project"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a project's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Retrieve a project */
  "GET /api/v1/projects/{projectId}": {
    path: { projectId: string };
    query: {};
    body: undefined;
    answer: Objects["Project"];
  };
  /** Create an order */
  "POST /api/v1/projects/{projectId}/orders": {
    path: { projectId: string };
    query: {};
    body: {
      /** The amount in minor units of the currency: 9900 is 99.00 CNY. */
      amount_minor: number;
      /** ISO 4217 code; lower case is accepted. */
      currency: string;
      /** Your own name for the order, unique among those that are open or paid. */
      reference?: string;
      /** What the buyer sees beside the amount. */
      description?: string | null;
      /** Up to 50 keys of at most 40 characters with texts of at most 500, 16 KB in all. */
      metadata?: Record<string, string>;
      /** Who pays. */
      customer?: {
        /** Name. */
        name?: string | null;
        /** E-mail address. */
        email?: string | null;
        /** Telephone number. */
        phone?: string | null;
      };
      /** Where the page leads after payment: https, or http on localhost in TEST. */
      return_url?: string | null;
      /** Language of the page: `auto`, `en`, `zh` or `zh-CN`. */
      locale?: string;
      /** Seconds until the order expires; a day when absent. */
      expires_in?: number;
    };
    answer: Objects["Order"];
  };
  /** List orders */
  "GET /api/v1/projects/{projectId}/orders": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("unpaid" | "pending_verify" | "paid" | "failed" | "expired" | "canceled")[]; gateway?: string[]; currency?: string[]; reference?: string[]; q?: string; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; "expand[]"?: ("payment_sessions" | "payment_link" | "vouchers" | "refunds")[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Order"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: an order's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Retrieve an order */
  "GET /api/v1/projects/{projectId}/orders/{id}": {
    path: { projectId: string; id: string };
    query: { "expand[]"?: ("payment_sessions" | "payment_link" | "vouchers" | "refunds")[] };
    body: undefined;
    answer: Objects["Order"];
  };
  /** Issue a new payment link */
  "POST /api/v1/projects/{projectId}/orders/{id}/payment-link": {
    path: { projectId: string; id: string };
    query: {};
    body: {
      /** Seconds until the order expires, counted anew. */
      expires_in?: number;
    };
    answer: Objects["Order"];
  };
  /** Revoke the payment link */
  "DELETE /api/v1/projects/{projectId}/orders/{id}/payment-link": {
    path: { projectId: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** Approve or reject a payment */
  "POST /api/v1/projects/{projectId}/orders/{id}/verification": {
    path: { projectId: string; id: string };
    query: {};
    body: {
      /** Whether the money arrived. */
      decision: "approve" | "reject";
      /** What really arrived, when it is not what was asked for. */
      received_amount_minor?: number;
      /** The transfer's number, so that a statement is not counted again. */
      external_transaction_id?: string;
      /** Why it is rejected; the buyer sees it. */
      reason_code?: "not_received" | "amount_mismatch" | "duplicate_proof" | "unreadable" | "fraud";
      /** True ends the order instead of returning it to the buyer. */
      final?: boolean;
      /** A word to the buyer. */
      note?: string | null;
    };
    answer: Objects["Order"];
  };
  /** Cancel an order */
  "POST /api/v1/projects/{projectId}/orders/{id}/cancel": {
    path: { projectId: string; id: string };
    query: {};
    body: Record<string, unknown>;
    answer: Objects["Order"];
  };
  /** Simulate a payment */
  "POST /api/v1/projects/{projectId}/orders/{id}/simulate-payment": {
    path: { projectId: string; id: string };
    query: {};
    body: {
      /** What happens; `paid` when absent. */
      outcome?: "paid" | "failed" | "pending_verify" | "underpaid" | "overpaid" | "late" | "duplicate_callback" | "expire";
      /** How much arrives. */
      amount_minor?: number;
    };
    answer: Objects["Order"];
  };
  /** Start a payment */
  "POST /api/v1/projects/{projectId}/orders/{id}/payments": {
    path: { projectId: string; id: string };
    query: {};
    body: {
      /** Which receiving code the buyer pays to. */
      gateway: "wechatpay" | "alipay";
    };
    answer: Objects["PaymentSession"];
  };
  /** List an order's payment sessions */
  "GET /api/v1/projects/{projectId}/orders/{id}/payments": {
    path: { projectId: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["PaymentSession"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a session's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** List an order's proofs of payment */
  "GET /api/v1/projects/{projectId}/orders/{id}/vouchers": {
    path: { projectId: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Voucher"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a proof's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** List an order's events */
  "GET /api/v1/projects/{projectId}/orders/{id}/events": {
    path: { projectId: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Event"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: an event's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Submit a proof of payment */
  "POST /api/v1/projects/{projectId}/orders/{id}/voucher": {
    path: { projectId: string; id: string };
    query: {};
    body: {
      /** Which channel the money went through; needed when no payment is open. */
      gateway?: "wechatpay" | "alipay";
      /** The transfer's number. */
      transaction_reference?: string | null;
      /** Who paid. */
      payer_name?: string | null;
      /** When it was paid. */
      paid_at?: string;
      /** What was sent, in minor units. */
      amount_minor?: number;
      /** A word to the reviewer. */
      note?: string | null;
      /** A picture uploaded as `payment_proof`. */
      asset_id?: string | null;
    } | FormData;
    answer: Objects["Voucher"];
  };
  /** List exceptions */
  "GET /api/v1/projects/{projectId}/exceptions": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("open" | "resolved")[]; gateway?: string[]; currency?: string[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; kind?: ("late" | "duplicate" | "underpaid" | "overpaid" | "unmatched" | "mismatch")[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["PaymentException"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: an exception's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Resolve an exception */
  "POST /api/v1/projects/{projectId}/exceptions/{id}/resolve": {
    path: { projectId: string; id: string };
    query: {};
    body: {
      /** `accept`: the money pays the order, or is kept where the order is paid already. `ignore`: it stays in suspense. */
      action: "accept" | "ignore";
      /** The order that the money is for, when it is not the exception's own. */
      order_id?: string;
      /** Why, for whoever asks later. */
      note?: string | null;
    };
    answer: Objects["PaymentException"];
  };
  /** List or export transactions */
  "GET /api/v1/transactions": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("completed" | "held" | "reversed")[]; gateway?: string[]; currency?: string[]; reference?: string[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; type?: ("payment" | "refund" | "fee" | "adjustment" | "reversal" | "payout")[]; order_id?: string[]; format?: "json" | "csv" | "jsonl" };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Transaction"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a transaction's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** List wallets */
  "GET /api/v1/wallets": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; gateway?: string[]; currency?: string[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Wallet"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a wallet's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Upload a picture */
  "POST /api/v1/projects/{projectId}/assets/upload": {
    path: { projectId: string };
    query: {};
    body: FormData;
    answer: Objects["Asset"];
  };
  /** Delete a picture */
  "DELETE /api/v1/assets/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** List collection profiles */
  "GET /api/v1/projects/{projectId}/collection-profiles": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["CollectionProfile"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a profile's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Retrieve a collection profile */
  "GET /api/v1/projects/{projectId}/collection-profiles/{channel}": {
    path: { projectId: string; channel: string };
    query: {};
    body: undefined;
    answer: Objects["CollectionProfile"];
  };
  /** Set a collection profile */
  "PUT /api/v1/projects/{projectId}/collection-profiles/{channel}": {
    path: { projectId: string; channel: string };
    query: {};
    body: {
      /** A picture of the code, uploaded as `collection_qr`. This or `qr_payload` is needed. */
      qr_asset_id?: string | null;
      /** The code's text, unchanged. This or `qr_asset_id` is needed. */
      qr_payload?: string | null;
      /** Accept a picture that no code could be read from; buyers are then shown the picture. */
      allow_image_only?: boolean;
      /** Whether buyers are offered the channel. Default: true. */
      enabled?: boolean;
      /** Name that buyers see in their wallet. */
      payee_name?: string | null;
      /** What buyers are told beside the code, by language. */
      instructions?: Record<string, string>;
      /** How receipts find their payments. */
      matching?: {
        /** How a receipt finds its payment. `exact`: a person decides. `remark`: the buyer types a code into the transfer's note. `unique_amount`: each open payment is asked for an amount of its own, a little lower. Default: `exact`. */
        mode?: "exact" | "remark" | "unique_amount";
        /** `unique_amount`: how much less may be asked for, in minor units. Default: 20. */
        max_offset_minor?: number;
        /** `unique_amount`: refuse a payment when no amount is free. Default: false. */
        strict?: boolean;
      };
      /** How long a buyer has to pay. Default: 30. */
      session_minutes?: number;
      /** Bounds of what the code is used for. */
      limits?: {
        /** Smallest amount that is offered this channel. */
        min_minor?: number | null;
        /** Largest amount that is offered this channel. */
        max_minor?: number | null;
        /** Most that is asked for in a day, in Beijing time. */
        daily_total_minor?: number | null;
      };
    };
    answer: Objects["CollectionProfile"];
  };
  /** List receipts */
  "GET /api/v1/projects/{projectId}/receipts": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("unmatched" | "matched" | "linked" | "ignored")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; channel?: ("wechat" | "alipay")[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Receipt"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a receipt's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Record a receipt */
  "POST /api/v1/projects/{projectId}/receipts": {
    path: { projectId: string };
    query: {};
    body: {
      /** The wallet. */
      channel: "wechat" | "alipay";
      /** What came in, in minor units. */
      amount_minor: number;
      /** The currency. Both wallets pay out CNY alone. */
      currency?: string;
      /** When it came in. */
      occurred_at: string;
      /** The wallet's number of the transfer. Sent again, the first receipt is answered. */
      external_id?: string | null;
      /** The transfer's note. */
      remark?: string | null;
      /** What the wallet says of the payer. */
      payer_hint?: string | null;
      /** Who tells of it. Default: `manual`. */
      source?: "listener" | "manual";
    };
    answer: Objects["Receipt"];
  };
  /** Import a statement */
  "POST /api/v1/projects/{projectId}/receipts/import": {
    path: { projectId: string };
    query: {};
    body: FormData;
    answer: Objects["ReceiptImport"];
  };
  /** Register a webhook endpoint */
  "POST /api/v1/projects/{projectId}/webhooks": {
    path: { projectId: string };
    query: {};
    body: {
      /** A public https address on port 443 or 8443. */
      url: string;
      /** Names of events: `order.paid`, `order.failed`, `order.payment_pending_verify`, `transaction.completed`, `payment.session.created`, `order.created`, `order.expired`, `order.verification_rejected`, `payment.session.failed`, `refund.succeeded`, `refund.failed`, `payment.exception`, `domain.verified`, `domain.failed`, `webhook.test`; `email.*`, `sms.*`, `call.*`; or `*` for all but the noisy ones. */
      events: string[];
      /** A note of yours. */
      description?: string | null;
    };
    answer: Objects["Webhook"];
  };
  /** List webhook endpoints */
  "GET /api/v1/projects/{projectId}/webhooks": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Webhook"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: an endpoint's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Retrieve a webhook endpoint */
  "GET /api/v1/projects/{projectId}/webhooks/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["Webhook"];
  };
  /** Change a webhook endpoint */
  "PATCH /api/v1/projects/{projectId}/webhooks/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: {
      /** A public https address on port 443 or 8443. */
      url?: string;
      /** Names of events: `order.paid`, `order.failed`, `order.payment_pending_verify`, `transaction.completed`, `payment.session.created`, `order.created`, `order.expired`, `order.verification_rejected`, `payment.session.failed`, `refund.succeeded`, `refund.failed`, `payment.exception`, `domain.verified`, `domain.failed`, `webhook.test`; `email.*`, `sms.*`, `call.*`; or `*` for all but the noisy ones. */
      events?: string[];
      /** A note of yours. */
      description?: string | null;
      /** `disabled` stops deliveries; `enabled` begins anew, with a clean record. */
      status?: "enabled" | "disabled";
    };
    answer: Objects["Webhook"];
  };
  /** Delete a webhook endpoint */
  "DELETE /api/v1/projects/{projectId}/webhooks/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** Send a test event */
  "POST /api/v1/projects/{projectId}/webhooks/{id}/test": {
    path: { projectId: string; id: string };
    query: {};
    body: {
      /** Which event to play. Default: `webhook.test`. */
      event?: string;
    };
    answer: Objects["WebhookAttempt"];
  };
  /** Roll the secret */
  "POST /api/v1/projects/{projectId}/webhooks/{id}/roll-secret": {
    path: { projectId: string; id: string };
    query: {};
    body: Record<string, unknown>;
    answer: Objects["Webhook"];
  };
  /** Promote the next secret */
  "POST /api/v1/projects/{projectId}/webhooks/{id}/promote-secret": {
    path: { projectId: string; id: string };
    query: {};
    body: Record<string, unknown>;
    answer: Objects["Webhook"];
  };
  /** Send missed events again */
  "POST /api/v1/projects/{projectId}/webhooks/{id}/replay": {
    path: { projectId: string; id: string };
    query: {};
    body: {
      /** From when on, at most 30 days ago. */
      since: string;
    };
    answer: Objects["WebhookReplay"];
  };
  /** Send an attempt's event again */
  "POST /api/v1/projects/{projectId}/webhooks/{id}/attempts/{attemptId}/retry": {
    path: { projectId: string; id: string; attemptId: string };
    query: {};
    body: Record<string, unknown>;
    answer: Objects["WebhookAttempt"];
  };
  /** List delivery attempts */
  "GET /api/v1/projects/{projectId}/webhooks/{id}/attempts": {
    path: { projectId: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; status?: ("started" | "succeeded" | "failed")[]; event_id?: string[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["WebhookAttempt"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: an attempt's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Retrieve a delivery attempt */
  "GET /api/v1/projects/{projectId}/webhooks/{id}/attempts/{attemptId}": {
    path: { projectId: string; id: string; attemptId: string };
    query: {};
    body: undefined;
    answer: Objects["WebhookAttempt"];
  };
  /** List events */
  "GET /api/v1/projects/{projectId}/events": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; event?: string[]; delivery_success?: "true" | "false" };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Event"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: an event's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Retrieve an event */
  "GET /api/v1/projects/{projectId}/events/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["Event"];
  };
  /** Follow events */
  "GET /api/v1/projects/{projectId}/events/stream": {
    path: { projectId: string };
    query: { event?: string[] };
    body: undefined;
    answer: undefined;
  };
  /** Add a domain */
  "POST /v1/domains": {
    path: {};
    query: {};
    body: {
      /** The domain's name; international names are taken too. */
      name: string;
    };
    answer: Objects["Domain"];
  };
  /** List domains */
  "GET /v1/domains": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; status?: ("pending" | "verified" | "failed")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; after?: string; before?: string };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Domain"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a domain's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Retrieve a domain */
  "GET /v1/domains/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Domain"];
  };
  /** Delete a domain */
  "DELETE /v1/domains/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** Look for a domain's records now */
  "POST /v1/domains/{id}/verify": {
    path: { id: string };
    query: {};
    body: Record<string, unknown>;
    answer: Objects["Domain"];
  };
  /** Suppress an address */
  "POST /v1/suppressions": {
    path: {};
    query: {};
    body: {
      /** The address. */
      address: string;
      /** By which way nothing more is sent; `email` when absent. */
      channel?: "email" | "sms" | "call";
      /** Why; `manual` when absent. The others are for lists that you bring along. */
      reason?: "bounce" | "complaint" | "unsubscribe" | "manual";
      /** Until when. Absent: 90 days for `bounce`, for good otherwise. null: for good. */
      expires_at?: string | null;
    };
    answer: Objects["Suppression"];
  };
  /** List suppressions */
  "GET /v1/suppressions": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; after?: string; before?: string; channel?: ("email" | "sms" | "call")[]; reason?: ("bounce" | "complaint" | "unsubscribe" | "manual")[]; address?: string[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Suppression"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a suppression's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Retrieve a suppression */
  "GET /v1/suppressions/{id}": {
    path: { id: string };
    query: { channel?: "email" | "sms" | "call" };
    body: undefined;
    answer: Objects["Suppression"];
  };
  /** Lift a suppression */
  "DELETE /v1/suppressions/{id}": {
    path: { id: string };
    query: { channel?: "email" | "sms" | "call" };
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** Show a picture */
  "GET /assets/{id}": {
    path: { id: string };
    query: { expires: string; signature: string };
    body: undefined;
    answer: undefined;
  };
  /** Read a payment page */
  "GET /api/public/pay/{token}": {
    path: { token: string };
    query: {};
    body: undefined;
    answer: {
      /** Always `payment_page`. */
      object: "payment_page";
      /** The link's token. */
      token: string;
      /** False on TEST pages, where no money moves. */
      livemode: boolean;
      /** Differs whenever what the page shows has changed. */
      version: string;
      /** Language that the merchant asked for, or `auto`. */
      locale: string;
      /** Where the buyer stands. */
      state: "choose" | "pay" | "checking" | "paid" | "expired" | "revoked" | "canceled" | "failed";
      /** Who is paid. */
      merchant: {
        /** The name that the buyer knows. */
        name: string;
        /** A signed address of the logo. */
        logo_url: string | null;
        /** Where to reach the merchant, as an address to open. */
        contact: string | null;
      };
      order: {
        /** The merchant's name for the order. */
        reference: string;
        /** What the order is for. */
        description: string | null;
        /** The order's amount. */
        amount_minor: number;
        /** ISO 4217 code. */
        currency: string;
        /** Decimals of the currency. */
        exponent: number;
        /** What has arrived so far. */
        received_minor: number;
        /** What is still to be paid. */
        rest_minor: number;
        /** Until when the order can be paid. */
        expires_at: string;
        /** When the order was paid. */
        paid_at: string | null;
        /** True when the money came after the time had run out. */
        paid_late: boolean;
        /** Where the buyer goes back to. */
        return_url: string | null;
      };
      /** Ways to pay that are open for this order. */
      channels: ("wechatpay" | "alipay")[];
      /** The payment that is open, or the last one. */
      session: {
        /** The chosen way to pay. */
        gateway: "wechatpay" | "alipay";
        /** Where this payment stands. */
        status: string;
        /** What to pay exactly; with amount matching a little less than the order. */
        payable_amount_minor: number;
        /** What to write into the transfer's note. */
        remark_code: string | null;
        /** The name that the wallet will show. */
        payee_name: string | null;
        /** The text of the receiving code. */
        qr_payload: string | null;
        /** The merchant's own words, by language. */
        instructions: Record<string, string>;
        /** Until when the code is shown. */
        expires_at: string | null;
      } | null;
      /** Why the last reported payment was not confirmed. */
      rejection: {
        /** Why. */
        reason_code: string;
        /** The reviewer's words to the buyer. */
        note: string | null;
      } | null;
      /** When the buyer said that it was paid. */
      reported_at: string | null;
      /** The proof that waits for review. */
      proof: {
        /** When the proof came. */
        submitted_at: string;
      } | null;
      /** The usual minutes until a report is checked. */
      usual_review_minutes: number | null;
      /** Whether `report` makes sense now. */
      can_report: boolean;
      /** Whether a proof can be sent now. */
      can_prove: boolean;
      /** Whether this is a TEST page with a payment to simulate. */
      simulate: boolean;
    };
  };
  /** Start a payment */
  "POST /api/public/pay/{token}/initiate": {
    path: { token: string };
    query: {};
    body: {
      /** The way to pay. WeChat's personal code is `wechatpay` here, not `wechat`. */
      gateway: "wechatpay" | "alipay";
    };
    answer: Objects["PaymentSession"];
  };
  /** Report a payment */
  "POST /api/public/pay/{token}/report": {
    path: { token: string };
    query: {};
    body: {
      /** The way to pay. WeChat's personal code is `wechatpay` here, not `wechat`. */
      gateway?: "wechatpay" | "alipay";
    };
    answer: {
      /** Always `payment_page`. */
      object: "payment_page";
      /** The link's token. */
      token: string;
      /** False on TEST pages, where no money moves. */
      livemode: boolean;
      /** Differs whenever what the page shows has changed. */
      version: string;
      /** Language that the merchant asked for, or `auto`. */
      locale: string;
      /** Where the buyer stands. */
      state: "choose" | "pay" | "checking" | "paid" | "expired" | "revoked" | "canceled" | "failed";
      /** Who is paid. */
      merchant: {
        /** The name that the buyer knows. */
        name: string;
        /** A signed address of the logo. */
        logo_url: string | null;
        /** Where to reach the merchant, as an address to open. */
        contact: string | null;
      };
      order: {
        /** The merchant's name for the order. */
        reference: string;
        /** What the order is for. */
        description: string | null;
        /** The order's amount. */
        amount_minor: number;
        /** ISO 4217 code. */
        currency: string;
        /** Decimals of the currency. */
        exponent: number;
        /** What has arrived so far. */
        received_minor: number;
        /** What is still to be paid. */
        rest_minor: number;
        /** Until when the order can be paid. */
        expires_at: string;
        /** When the order was paid. */
        paid_at: string | null;
        /** True when the money came after the time had run out. */
        paid_late: boolean;
        /** Where the buyer goes back to. */
        return_url: string | null;
      };
      /** Ways to pay that are open for this order. */
      channels: ("wechatpay" | "alipay")[];
      /** The payment that is open, or the last one. */
      session: {
        /** The chosen way to pay. */
        gateway: "wechatpay" | "alipay";
        /** Where this payment stands. */
        status: string;
        /** What to pay exactly; with amount matching a little less than the order. */
        payable_amount_minor: number;
        /** What to write into the transfer's note. */
        remark_code: string | null;
        /** The name that the wallet will show. */
        payee_name: string | null;
        /** The text of the receiving code. */
        qr_payload: string | null;
        /** The merchant's own words, by language. */
        instructions: Record<string, string>;
        /** Until when the code is shown. */
        expires_at: string | null;
      } | null;
      /** Why the last reported payment was not confirmed. */
      rejection: {
        /** Why. */
        reason_code: string;
        /** The reviewer's words to the buyer. */
        note: string | null;
      } | null;
      /** When the buyer said that it was paid. */
      reported_at: string | null;
      /** The proof that waits for review. */
      proof: {
        /** When the proof came. */
        submitted_at: string;
      } | null;
      /** The usual minutes until a report is checked. */
      usual_review_minutes: number | null;
      /** Whether `report` makes sense now. */
      can_report: boolean;
      /** Whether a proof can be sent now. */
      can_prove: boolean;
      /** Whether this is a TEST page with a payment to simulate. */
      simulate: boolean;
    };
  };
  /** Simulate a payment on a TEST page */
  "POST /api/public/pay/{token}/simulate": {
    path: { token: string };
    query: {};
    body: Record<string, unknown>;
    answer: {
      /** Always `payment_page`. */
      object: "payment_page";
      /** The link's token. */
      token: string;
      /** False on TEST pages, where no money moves. */
      livemode: boolean;
      /** Differs whenever what the page shows has changed. */
      version: string;
      /** Language that the merchant asked for, or `auto`. */
      locale: string;
      /** Where the buyer stands. */
      state: "choose" | "pay" | "checking" | "paid" | "expired" | "revoked" | "canceled" | "failed";
      /** Who is paid. */
      merchant: {
        /** The name that the buyer knows. */
        name: string;
        /** A signed address of the logo. */
        logo_url: string | null;
        /** Where to reach the merchant, as an address to open. */
        contact: string | null;
      };
      order: {
        /** The merchant's name for the order. */
        reference: string;
        /** What the order is for. */
        description: string | null;
        /** The order's amount. */
        amount_minor: number;
        /** ISO 4217 code. */
        currency: string;
        /** Decimals of the currency. */
        exponent: number;
        /** What has arrived so far. */
        received_minor: number;
        /** What is still to be paid. */
        rest_minor: number;
        /** Until when the order can be paid. */
        expires_at: string;
        /** When the order was paid. */
        paid_at: string | null;
        /** True when the money came after the time had run out. */
        paid_late: boolean;
        /** Where the buyer goes back to. */
        return_url: string | null;
      };
      /** Ways to pay that are open for this order. */
      channels: ("wechatpay" | "alipay")[];
      /** The payment that is open, or the last one. */
      session: {
        /** The chosen way to pay. */
        gateway: "wechatpay" | "alipay";
        /** Where this payment stands. */
        status: string;
        /** What to pay exactly; with amount matching a little less than the order. */
        payable_amount_minor: number;
        /** What to write into the transfer's note. */
        remark_code: string | null;
        /** The name that the wallet will show. */
        payee_name: string | null;
        /** The text of the receiving code. */
        qr_payload: string | null;
        /** The merchant's own words, by language. */
        instructions: Record<string, string>;
        /** Until when the code is shown. */
        expires_at: string | null;
      } | null;
      /** Why the last reported payment was not confirmed. */
      rejection: {
        /** Why. */
        reason_code: string;
        /** The reviewer's words to the buyer. */
        note: string | null;
      } | null;
      /** When the buyer said that it was paid. */
      reported_at: string | null;
      /** The proof that waits for review. */
      proof: {
        /** When the proof came. */
        submitted_at: string;
      } | null;
      /** The usual minutes until a report is checked. */
      usual_review_minutes: number | null;
      /** Whether `report` makes sense now. */
      can_report: boolean;
      /** Whether a proof can be sent now. */
      can_prove: boolean;
      /** Whether this is a TEST page with a payment to simulate. */
      simulate: boolean;
    };
  };
  /** Send a proof of payment */
  "POST /api/public/pay/{token}/voucher": {
    path: { token: string };
    query: {};
    body: {
      /** Which channel the money went through; needed when no payment is open. */
      gateway?: "wechatpay" | "alipay";
      /** The transfer's number. */
      transaction_reference?: string | null;
      /** Who paid. */
      payer_name?: string | null;
      /** When it was paid. */
      paid_at?: string;
      /** What was sent, in minor units. */
      amount_minor?: number;
      /** A word to the reviewer. */
      note?: string | null;
    } | FormData;
    answer: {
      /** The proof's id. */
      id: string;
      /** Always `voucher`. */
      object: "voucher";
      /** The payment that it belongs to. */
      payment_session_id: string;
      /** Where the review stands. */
      status: "submitted" | "approved" | "rejected" | "superseded";
      /** As the buyer gave it. */
      transaction_reference: string | null;
      /** As the buyer gave it. */
      payer_name: string | null;
      /** As the buyer gave it. */
      note: string | null;
      /** When it came. */
      created_at: string;
    };
  };
  /** Follow a payment page */
  "GET /api/public/pay/{token}/events": {
    path: { token: string };
    query: {};
    body: undefined;
    answer: undefined;
  };
}
