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
  /** A key that programs sign their requests with. It belongs to one project and environment. */
  ApiKey: {
    /** The key's id. */
    id: string;
    /** Always `api_key`. */
    object: "api_key";
    /** The project. */
    project_id: string;
    /** What the key is for. */
    name: string;
    /** Where it works. */
    environment: "test" | "live";
    /** False in the TEST environment. */
    livemode: boolean;
    /** How the key begins. */
    prefix: string;
    /** How it ends. */
    last4: string;
    /** What it may do. */
    permissions: string[];
    /** Only an active key works. */
    status: "active" | "revoked" | "expired";
    /** Addresses and CIDR ranges that the key may be used from; empty: from anywhere. */
    allowed_ips: string[];
    /** When it ends by itself. */
    expires_at: string | null;
    /** When it was last used, to within seconds. */
    last_used_at: string | null;
    /** When it was ended, or, while it is being replaced, when it will end. */
    revoked_at: string | null;
    /** The key that it replaced. */
    rotated_from: string | null;
    /** Who made it. */
    created_by: string | null;
    /** The key itself. Shown when it is made or rotated, and never again. */
    secret: string | null;
    /** Grows by one with each change. */
    version: number;
    /** When it was made. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
  };
  /** How often a key used one of the deprecated flat paths. */
  FlatPathUse: {
    /** Key and endpoint. */
    id: string;
    /** Always `flat_path_use`. */
    object: "flat_path_use";
    /** The key. */
    key_id: string;
    /** The path that stands in its place. */
    endpoint: string;
    /** How often. */
    uses: number;
    /** When it was last. */
    last_used_at: string;
  };
  /** A person who belongs to a merchant. */
  Member: {
    /** The membership's id. */
    id: string;
    /** Always `member`. */
    object: "member";
    /** The merchant. */
    merchant_id: string;
    /** The person. */
    person_id: string;
    /** Their address. */
    email: string;
    /** How they are called. */
    name: string;
    /** Whether they sign in with a second step. */
    two_factor_enabled: boolean;
    /** What they may do. */
    role: "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";
    /** Grows by one with each change. */
    version: number;
    /** When they joined. */
    created_at: string;
    /** When their role was last changed. */
    updated_at: string;
  };
  /** Somebody who was asked to join and has not yet. */
  Invitation: {
    /** The invitation's id. */
    id: string;
    /** Always `invitation`. */
    object: "invitation";
    /** The merchant. */
    merchant_id: string;
    /** Who was asked. */
    email: string;
    /** What they will be. */
    role: "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";
    /** Language of the mail. */
    language: "en" | "zh";
    /** Who asked them. */
    invited_by: string;
    /** When the link ends. */
    expires_at: string;
    /** When they were asked. */
    created_at: string;
  };
  /** Who did what. Entries are never changed; a hash binds each to all before it. */
  AuditEntry: {
    /** The entry's id. */
    id: string;
    /** Always `audit_entry`. */
    object: "audit_entry";
    /** The merchant whose log it is. */
    merchant_id: string;
    /** The project, when one was meant. */
    project_id: string | null;
    /** The environment, when a project was meant. */
    livemode: boolean | null;
    /** What acted. */
    actor_kind: "api_key" | "person" | "buyer" | "provider" | "system";
    /** Its id. */
    actor_id: string;
    /** A person's address. */
    actor_email: string | null;
    /** What happened. */
    action: string;
    /** What it happened to. */
    object_type: string;
    /** Its id. */
    object_id: string | null;
    /** What exactly. */
    detail: Record<string, unknown>;
    /** The request that did it. */
    request_id: string | null;
    /** Its place in the merchant's chain; null for the first moments. */
    position: number | null;
    /** Hash over the entry and the one before it. */
    hash: string | null;
    /** When. */
    created_at: string;
  };
  /** A merchant as operators see it. */
  MerchantOverview: {
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
    /** ISO 3166 code of the country. */
    country: string | null;
    /** Why it was rejected. */
    rejection_reason: string | null;
    /** Since when its LIVE messages are stopped. */
    sending_suspended_at: string | null;
    /** Why they are stopped, as the merchant is told. */
    sending_suspended_reason: string | null;
    /** Name of the operator who stopped them. */
    sending_suspended_by: string | null;
    /** How many projects it has. */
    projects: number;
    /** How many people belong to it. */
    members: number;
    /** Address of its first owner. */
    owner_email: string | null;
  };
  /** A proof that nobody has decided on yet. */
  WaitingProof: {
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
    /** Whose it is. */
    merchant_id: string;
    /** The merchant's name. */
    merchant_name: string;
    /** The project. */
    project_id: string;
    /** The project's name. */
    project_name: string;
    /** The order's reference. */
    order_reference: string | null;
    /** What the order asks for. */
    order_amount_minor: number;
    /** The order's currency. */
    currency: string;
  };
  /** How the installation does. */
  SystemHealth: {
    /** Always `system_health`. */
    object: "system_health";
    /** When this was seen. */
    at: string;
    /** Work that waits. */
    queues: {
      /** Which queue. */
      name: string;
      /** What is not done yet. */
      waiting: number;
      /** Since when the oldest of them is due; null: nothing is late. */
      oldest_due_at: string | null;
      /** What was given up within the last day. */
      dead: number;
    }[];
    /** Size of the database. */
    database_bytes: number;
    /** Open connections. */
    database_connections: number;
    /** Free space where this process runs. */
    disk_free_bytes: number | null;
    /** Memory of this process. */
    memory_bytes: number;
    /** Since when this process runs. */
    uptime_seconds: number;
    /** Version of the runtime. */
    version: string;
  };
  /** What paths without a project mean in this session. */
  ActiveProject: {
    /** Always `active_project`. */
    object: "active_project";
    /** The project; null: the merchant's newest. */
    active_project_id: string | null;
    /** The environment. */
    active_environment: "TEST" | "LIVE";
  };
  /** The signed-in person. */
  Me: {
    /** The person's id. */
    id: string;
    /** Always `person`. */
    object: "person";
    /** The address that they sign in with. */
    email: string;
    /** Whether the address was confirmed. */
    email_verified: boolean;
    /** How they are called. */
    name: string;
    /** The language of pages and mails. */
    language: "en" | "zh";
    /** Whether they run this installation. */
    is_operator: boolean;
    /** Whether signing in takes a second step. */
    two_factor_enabled: boolean;
    /** Where they belong, the oldest first. */
    memberships: {
      /** The merchant. */
      merchant_id: string;
      /** Its name. */
      merchant_name: string;
      /** Only a verified merchant can take LIVE money. */
      verification_status: "pending" | "verified" | "rejected";
      /** What the person is there. */
      role: "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";
      /** What they may do there in TEST. */
      permissions_test: string[];
      /** What they may do there in LIVE. */
      permissions_live: string[];
    }[];
    /** The merchant of this request. */
    current: {
      /** The merchant. */
      merchant_id: string;
      /** What the person is there. */
      role: "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";
      /** What they may do in TEST. */
      permissions_test: string[];
      /** What they may do in LIVE. */
      permissions_live: string[];
    } | null;
    /** The project that paths without one mean. */
    active_project_id: string | null;
    /** The environment of requests that name none. */
    active_environment: "TEST" | "LIVE";
    /** This session. */
    session_id: string;
    /** When they last proved who they are in this session. */
    confirmed_at: string;
    /** Until when that is enough for keys, secrets and codes. */
    fresh_until: string;
    /** When the account was made. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
  };
  /** One place where a person is signed in. */
  PersonSession: {
    /** The session's id. */
    id: string;
    /** Always `session`. */
    object: "session";
    /** Whether it is the one that asks. */
    is_current: boolean;
    /** Where it was opened from. */
    ip_address: string | null;
    /** The browser that opened it. */
    user_agent: string | null;
    /** When the person last proved who they are in it. */
    confirmed_at: string;
    /** When it ends by itself. */
    expires_at: string;
    /** When it was opened. */
    created_at: string;
    /** When it was last extended or changed. */
    updated_at: string;
  };
  /** What came of an attempt to sign in. The session is in a cookie that no script can read. */
  SignIn: {
    /** Always `sign_in`. */
    object: "sign_in";
    /** Whether the cookie now holds a session. */
    signed_in: boolean;
    /** The password was right; now the second step is asked. */
    two_factor_required: boolean;
  };
  /** It is done. */
  Done: {
    /** Always `done`. */
    object: "done";
  };
  /** What an authenticator needs, once. Two-step sign-in is on as soon as a first code was verified. */
  TwoFactorSetup: {
    /** Always `two_factor_setup`. */
    object: "two_factor_setup";
    /** For the QR code that authenticators scan. */
    totp_uri: string;
    /** Each opens the account once when the authenticator is lost. */
    recovery_codes: string[];
  };
  /** Codes that replace all earlier ones. */
  RecoveryCodes: {
    /** Always `recovery_codes`. */
    object: "recovery_codes";
    /** Each opens the account once. */
    recovery_codes: string[];
  };
  /** The person proved that it is them. */
  Confirmation: {
    /** Always `confirmation`. */
    object: "confirmation";
    /** When. */
    confirmed_at: string;
    /** Until when keys, secrets and codes may be changed. */
    fresh_until: string;
  };
  /** What the holder of an invitation's link is asked. */
  OpenInvitation: {
    /** Always `open_invitation`. */
    object: "open_invitation";
    /** Who asks. */
    merchant_name: string;
    /** Whom. */
    email: string;
    /** What they would be. */
    role: string;
    /** Language of the invitation. */
    language: string;
    /** The address has an account: sign in first, then accept. */
    has_account: boolean;
    /** When the link ends. */
    expires_at: string;
  };
  /** What a page hands to the browser. */
  PasskeyOptions: {
    /** Always `passkey_options`. */
    object: "passkey_options";
    /** Options for `navigator.credentials`, in the JSON form of WebAuthn. */
    options: Record<string, unknown>;
  };
  /** A passkey of a person. */
  Passkey: {
    /** The passkey's id. */
    id: string;
    /** Always `passkey`. */
    object: "passkey";
    /** What the person calls it. */
    name: string;
    /** `singleDevice` or `multiDevice`. */
    device_type: string;
    /** Whether the person's other devices have it too. */
    backed_up: boolean;
    /** When it last signed them in. */
    last_used_at: string | null;
    /** When it was added. */
    created_at: string;
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
    } | null;
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
      } | null;
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
    } | null;
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
    } | null;
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
    /** That order's reference. */
    reference: string | null;
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
  /** What a project took in a span of time. */
  Figures: {
    /** Always `figures`. */
    object: "figures";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The beginning. */
    from: string;
    /** The end, which does not belong to the span. */
    to: string;
    /** Where days begin at midnight. */
    time_zone: string;
    /** What was paid on each day that had payments. */
    days: {
      /** The day. */
      day: string;
      /** The currency. */
      currency: string;
      /** How many orders. */
      paid_count: number;
      /** Their sum in minor units. */
      paid_minor: number;
    }[];
    /** The verified payments by gateway. */
    channels: {
      /** The gateway. */
      gateway: string;
      /** The currency. */
      currency: string;
      /** How many orders. */
      paid_count: number;
      /** Their sum in minor units. */
      paid_minor: number;
    }[];
    /** What became of the orders made in the span. */
    orders: {
      /** Orders that were made in the span. */
      created: number;
      /** Those of them that are paid, failed, expired or canceled. */
      ended: number;
      /** Those of them that are paid. */
      paid: number;
    };
    /** Median of the seconds from a buyer's report to its verification. */
    review_seconds: number | null;
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
    } | null;
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
    /** `matched`: it was booked, as a payment or as the exception that `exception_id` names. `linked`: it shows money that was booked already. `unmatched`: it waits for a person. */
    status: "unmatched" | "matched" | "linked" | "ignored";
    /** The payment that it belongs to. */
    payment_session_id: string | null;
    /** The exception that its money became: it was booked, and waits for a person's decision or had it. */
    exception_id: string | null;
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
    } | null;
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
  /** What signs the status callbacks of a project in one environment. */
  CallbackSecret: {
    /** Always `callback_secret`. */
    object: "callback_secret";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** Signs callbacks. Shown when you roll it and never again. */
    secret: string | null;
    /** The end of the secret that keys `X-Service-Signature`; null before the first callback and the first roll. */
    secret_last4: string | null;
    /** During a roll, the end of the secret that takes over. */
    next_secret_last4: string | null;
    /** During a roll, when it takes over by itself. */
    next_secret_at: string | null;
    /** When the first secret was made. */
    created_at: string | null;
  };
  /** A message and what became of each recipient's copy. */
  Email: {
    /** The message's id. */
    id: string;
    /** Always `email`. */
    object: "email";
    /** The project that it belongs to. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** How far it came: of several recipients, the one who is least far. */
    status: "scheduled" | "queued" | "sending" | "delivery_delayed" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled";
    /** The newest event's name without `email.`; opens and clicks show here alone. */
    last_event: string | null;
    /** The sender as it was sent. */
    from: string;
    /** The recipients in the shape that they were sent in. */
    to: string | string[];
    /** Recipients of copies. */
    cc: string[];
    /** Hidden recipients. */
    bcc: string[];
    /** Where answers go. */
    reply_to: string[];
    /** The subject. */
    subject: string;
    /** The HTML; only when one message is read, and for 30 days. */
    html: string | null;
    /** The plain text, likewise. */
    text: string | null;
    /** Headers of yours, likewise. */
    headers: Record<string, string> | null;
    /** The files' names and sizes, likewise. */
    attachments: {
      /** Its name. */
      filename: string;
      /** Its media type. */
      content_type: string | null;
      /** Its name in the HTML. */
      content_id: string | null;
      /** Its size. */
      size_bytes: number;
    }[] | null;
    /** True when one message was read and its body is no longer kept. */
    body_expired: boolean;
    /** The `Message-ID` header. */
    message_id: string;
    /** What kind of mail it is. */
    category: "transactional" | "marketing";
    /** Each recipient's copy. */
    recipients: {
      /** The address. */
      address: string;
      /** Where it stood in the request. */
      type: "to" | "cc" | "bcc";
      /** How far this copy came. */
      status: "scheduled" | "queued" | "sending" | "delivery_delayed" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled";
      /** How often it was tried. */
      attempts: number;
      /** When it is tried next; null when nothing more is due. */
      next_attempt_at: string | null;
      /** The last answer of the receiving server. */
      smtp_code: number | null;
      /** Its enhanced status code, such as `5.1.1`. */
      enhanced_code: string | null;
      /** Its words. */
      diagnostic: string | null;
      /** Why it did not arrive. */
      bounce: {
        /** `permanent`, `transient` or `undetermined`. */
        type: string;
        /** What it was: `no_email`, `mailbox_full`, `blocked` and so on. */
        subtype: string;
      } | null;
      /** When it left. */
      sent_at: string | null;
      /** When the recipient's server took it. */
      delivered_at: string | null;
    }[];
    /** How often it was opened, machines left out. */
    opens: number;
    /** How often a link was followed, machines left out. */
    clicks: number;
    /** What is noticed. */
    tracking: {
      /** Opens are noticed. */
      opens: boolean;
      /** Clicks are noticed. */
      clicks: boolean;
    };
    /** Whether it can be unsubscribed from with one click. */
    unsubscribe: boolean;
    /** Its tags. */
    tags: {
      /** The name. */
      name: string;
      /** The value. */
      value: string;
    }[];
    /** Your own keys and values. */
    metadata: Record<string, string>;
    /** Who else is told of its events. */
    status_callback: string | null;
    /** The batch that it came in. */
    batch_id: string | null;
    /** What carried it: `outbox`, `relay`, `mx` or `simulator`. */
    provider: string | null;
    /** Why it did not arrive. */
    error: {
      /** What happened, for programs. */
      code: string;
      /** What happened, for people. */
      message: string;
      /** The carrier's own code. */
      provider_code: string | null;
    } | null;
    /** When it is to be sent. */
    scheduled_at: string | null;
    /** When it is given up. */
    expires_at: string;
    /** When the first copy left. */
    sent_at: string | null;
    /** When the first copy was delivered. */
    delivered_at: string | null;
    /** Grows by one with each change. */
    version: number;
    /** When it was accepted. */
    created_at: string;
    /** When it was last changed. */
    updated_at: string;
  };
  /** Messages that were sent in together. */
  Batch: {
    /** The batch's id. */
    id: string;
    /** Always `batch`. */
    object: "batch";
    /** The project that it belongs to. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** What kind of messages these are. */
    channel: "email" | "sms";
    /** How many were sent in. */
    total: number;
    /** How many of them were accepted. */
    accepted: number;
    /** The accepted messages, in the answer to the batch itself. Later, list messages by `batch_id`. */
    data?: {
      /** Place in the request, from 0. */
      index: number;
      /** The message's id. */
      id: string;
      /** How far it came. */
      status: string;
    }[];
    /** Why the others were not; only with `X-Batch-Validation: permissive`, and for 30 days. */
    errors: {
      /** Place in the request, from 0. */
      index: number;
      /** The parameter at fault. */
      param: string | null;
      /** What is wrong with it. */
      code: string;
      /** A sentence for people. */
      message: string;
    }[];
    /** How many of its messages are in each state. */
    statuses: Record<string, number>;
    /** When it was accepted. */
    created_at: string;
  };
  /** What was sent, beside what the merchant's tier allows. */
  Usage: {
    /** Always `usage`. */
    object: "usage";
    /** The project that it belongs to. */
    project_id: string;
    /** False in the TEST environment, which counts by itself. */
    livemode: boolean;
    /** The merchant's tier. Operators set it. */
    messaging_tier: "free" | "starter" | "pro" | "enterprise";
    /** The daily quota of e-mails. */
    emails: {
      /** Deliveries a day; a message to three recipients is three. */
      quota: number;
      /** How many were asked for today. */
      used: number;
      /** How many are left today. */
      remaining: number;
      /** When the next day begins, in UTC. */
      resets_at: string;
      /** The last thirty days, today last. */
      days: {
        /** The day in UTC. */
        day: string;
        /** Deliveries asked for on it. */
        used: number;
      }[];
    };
    /** Whether messages of this environment leave at all. */
    sending: {
      /** Since when the operator has stopped the merchant's LIVE messages; null: they are not stopped. TEST never is. */
      suspended_at: string | null;
      /** Why they are stopped. */
      reason: string | null;
      /** Messages that go out once that is lifted, counted up to 10,000; 0 while nothing is stopped. */
      waiting: number;
    };
    /** How often each key may call. */
    limits: {
      /** Messages sent one by one, each key, a minute. */
      emails_per_minute: number;
      /** Each kind of GET, each key, a minute. */
      reads_per_minute: number;
      /** All other requests together, each key, a minute. */
      general_per_minute: number;
      /** Batches, each key, an hour. */
      batches_per_hour: number;
      /** Changes of domains and suppressions, each key, an hour. */
      changes_per_hour: number;
      /** Requests of one key in flight at once. */
      burst: number;
    };
  };
  /** What a recipient was made to do, in TEST. */
  Inbound: {
    /** Always `inbound`. */
    object: "inbound";
    /** The project. */
    project_id: string;
    /** Always false. */
    livemode: boolean;
    /** What the recipient did. */
    type: "reply" | "complaint" | "bounce" | "unsubscribe";
    /** The message. */
    email_id: string;
    /** Who did it. */
    recipient: string;
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
  /** Change the merchant */
  "PATCH /api/v1/merchant": {
    path: {};
    query: {};
    body: {
      /** The name that people see. */
      display_name?: string;
      /** ISO 3166 code of the country. */
      country?: string | null;
    };
    answer: Objects["Merchant"];
  };
  /** List or export the audit log */
  "GET /api/v1/merchant/audit-log": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; actor_id?: string; object_id?: string; action?: string; format?: "json" | "csv" | "jsonl" };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["AuditEntry"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: an entry's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** List members */
  "GET /api/v1/merchant/members": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Member"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a member's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Change a member's role */
  "PATCH /api/v1/merchant/members/{id}": {
    path: { id: string };
    query: {};
    body: {
      /** What they may do from now on. */
      role: "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";
    };
    answer: Objects["Member"];
  };
  /** Remove a member */
  "DELETE /api/v1/merchant/members/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** List open invitations */
  "GET /api/v1/merchant/invitations": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Invitation"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: an invitation's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Invite somebody */
  "POST /api/v1/merchant/invitations": {
    path: {};
    query: {};
    body: {
      /** Whom to ask. */
      email: string;
      /** What they will be. */
      role: "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";
      /** Language of the mail. Default: yours. */
      language?: "en" | "zh";
    };
    answer: Objects["Invitation"];
  };
  /** Revoke an invitation */
  "DELETE /api/v1/merchant/invitations/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
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
  /** Create a project */
  "POST /api/v1/projects": {
    path: {};
    query: {};
    body: {
      /** The project's name. */
      name: string;
      /** Short name, unique within the merchant. */
      slug?: string;
      /** Currency that new orders of this project usually have. */
      default_currency: string;
    };
    answer: Objects["Project"];
  };
  /** Retrieve a project */
  "GET /api/v1/projects/{projectId}": {
    path: { projectId: string };
    query: {};
    body: undefined;
    answer: Objects["Project"];
  };
  /** Change a project */
  "PATCH /api/v1/projects/{projectId}": {
    path: { projectId: string };
    query: {};
    body: {
      /** The project's name. */
      name?: string;
      /** Short name, unique within the merchant. */
      slug?: string;
      /** Currency that new orders of this project usually have. */
      default_currency?: string;
      /** Replaces all settings. */
      settings?: {
        /** How the pay page looks. */
        branding?: {
          /** The name that buyers see. */
          display_name?: string;
          /** Colour of the pay page's accents. */
          color?: string;
          /** A picture uploaded as `logo`. */
          logo_asset_id?: string;
          /** Where buyers can ask. */
          support_email?: string;
        };
        /** Sends buyers who gave an e-mail address a receipt when their LIVE order is paid. */
        buyer_receipts?: boolean;
      };
    };
    answer: Objects["Project"];
  };
  /** Choose the active project */
  "POST /api/v1/projects/active": {
    path: {};
    query: {};
    body: {
      /** A project of a merchant that you belong to. */
      project_id: string;
    };
    answer: Objects["ActiveProject"];
  };
  /** Choose the active environment */
  "POST /api/v1/projects/active-environment": {
    path: {};
    query: {};
    body: {
      /** Which environment flat paths mean from now on. */
      environment: "TEST" | "LIVE";
    };
    answer: Objects["ActiveProject"];
  };
  /** List API keys */
  "GET /api/v1/projects/{projectId}/api-keys": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("active" | "revoked" | "expired")[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["ApiKey"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a key's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Create an API key */
  "POST /api/v1/projects/{projectId}/api-keys": {
    path: { projectId: string };
    query: {};
    body: {
      /** What the key is for. */
      name: string;
      /** What it may do, at most what you may: `orders:read`, `orders:write`, `payments:read`, `payments:write`, `webhooks:read`, `webhooks:write`, `emails:read`, `emails:write`, `sms:read`, `sms:write`, `calls:read`, `calls:write`, `domains:read`, `domains:write`, `suppressions:read`, `suppressions:write`, `collection_profiles:write`, `reviews:write`, `refunds:write`. */
      permissions: string[];
      /** Where it works. Default: the environment of the request. */
      environment?: "test" | "live";
      /** Addresses and CIDR ranges that the key may be used from; empty: from anywhere. */
      allowed_ips?: string[];
      /** When it ends by itself. */
      expires_at?: string | null;
    };
    answer: Objects["ApiKey"];
  };
  /** Change an API key */
  "PATCH /api/v1/projects/{projectId}/api-keys/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: {
      /** What the key is for. */
      name?: string;
      /** What it may do, at most what you may. */
      permissions?: string[];
      /** Addresses and CIDR ranges that the key may be used from; empty: from anywhere. */
      allowed_ips?: string[];
      /** When it ends by itself; null: never. */
      expires_at?: string | null;
    };
    answer: Objects["ApiKey"];
  };
  /** Revoke an API key */
  "DELETE /api/v1/projects/{projectId}/api-keys/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** Rotate an API key */
  "POST /api/v1/projects/{projectId}/api-keys/{id}/rotate": {
    path: { projectId: string; id: string };
    query: {};
    body: {
      /** How long the old key goes on working, at most seven days. Default: it ends at once. */
      expire_old_in_seconds?: number;
    };
    answer: Objects["ApiKey"];
  };
  /** Who still uses deprecated paths */
  "GET /api/v1/projects/{projectId}/flat-path-uses": {
    path: { projectId: string };
    query: {};
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["FlatPathUse"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: nothing: all stand on one page. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
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
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("open" | "resolved")[]; gateway?: string[]; currency?: string[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; kind?: ("late" | "duplicate" | "underpaid" | "overpaid" | "unmatched" | "mismatch")[]; order_id?: string };
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
  /** Retrieve figures */
  "GET /api/v1/projects/{projectId}/figures": {
    path: { projectId: string };
    query: { from?: string; to?: string; time_zone?: string };
    body: undefined;
    answer: Objects["Figures"];
  };
  /** List or export transactions */
  "GET /api/v1/transactions": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("completed" | "held" | "reversed")[]; gateway?: string[]; currency?: string[]; reference?: string[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; project_id?: string; type?: ("payment" | "refund" | "fee" | "adjustment" | "reversal" | "payout")[]; order_id?: string[]; format?: "json" | "csv" | "jsonl" };
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
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; gateway?: string[]; currency?: string[]; project_id?: string };
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
      /** Names of events: `order.paid`, `order.failed`, `order.payment_pending_verify`, `transaction.completed`, `payment.session.created`, `order.created`, `order.expired`, `order.verification_rejected`, `payment.session.failed`, `refund.succeeded`, `refund.failed`, `payment.exception`, `domain.verified`, `domain.failed`, `suppression.created`, `suppression.deleted`, `webhook.test`; `email.*`, `sms.*`, `call.*`; or `*` for all but the noisy ones. */
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
      /** Names of events: `order.paid`, `order.failed`, `order.payment_pending_verify`, `transaction.completed`, `payment.session.created`, `order.created`, `order.expired`, `order.verification_rejected`, `payment.session.failed`, `refund.succeeded`, `refund.failed`, `payment.exception`, `domain.verified`, `domain.failed`, `suppression.created`, `suppression.deleted`, `webhook.test`; `email.*`, `sms.*`, `call.*`; or `*` for all but the noisy ones. */
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
  /** Retrieve the callback secret */
  "GET /api/v1/projects/{projectId}/callback-secret": {
    path: { projectId: string };
    query: {};
    body: undefined;
    answer: Objects["CallbackSecret"];
  };
  /** Roll the callback secret */
  "POST /api/v1/projects/{projectId}/callback-secret/roll": {
    path: { projectId: string };
    query: {};
    body: Record<string, unknown>;
    answer: Objects["CallbackSecret"];
  };
  /** Promote the next callback secret */
  "POST /api/v1/projects/{projectId}/callback-secret/promote": {
    path: { projectId: string };
    query: {};
    body: Record<string, unknown>;
    answer: Objects["CallbackSecret"];
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
  /** Open an account */
  "POST /api/auth/sign-up/email": {
    path: {};
    query: {};
    body: {
      /** E-mail address. */
      email: string;
      /** At least 10 characters, and not easy to guess. */
      password: string;
      /** How the person is called. */
      name: string;
      /** Language of pages and mails. */
      language?: "en" | "zh";
      /** The business. Default: the person's name. */
      merchant_name?: string;
    };
    answer: Objects["Done"];
  };
  /** Sign in */
  "POST /api/auth/sign-in/email": {
    path: {};
    query: {};
    body: {
      /** E-mail address. */
      email: string;
      /** The password. */
      password: string;
      /** False ends the session with the browser. Default: true. */
      remember?: boolean;
    };
    answer: Objects["SignIn"];
  };
  /** Sign out */
  "POST /api/auth/sign-out": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["Done"];
  };
  /** Send the mail again that confirms an address */
  "POST /api/auth/send-verification-email": {
    path: {};
    query: {};
    body: {
      /** E-mail address. */
      email: string;
    };
    answer: Objects["Done"];
  };
  /** Confirm an address */
  "POST /api/auth/verify-email": {
    path: {};
    query: {};
    body: {
      /** The token of the link in the mail. */
      token: string;
    };
    answer: Objects["Done"];
  };
  /** Ask for a new password */
  "POST /api/auth/request-password-reset": {
    path: {};
    query: {};
    body: {
      /** E-mail address. */
      email: string;
    };
    answer: Objects["Done"];
  };
  /** Set a new password */
  "POST /api/auth/reset-password": {
    path: {};
    query: {};
    body: {
      /** The token of the link in the mail. */
      token: string;
      /** At least 10 characters, and not easy to guess. */
      new_password: string;
    };
    answer: Objects["Done"];
  };
  /** Change the password */
  "POST /api/auth/change-password": {
    path: {};
    query: {};
    body: {
      /** The password so far. */
      current_password: string;
      /** At least 10 characters, and not easy to guess. */
      new_password: string;
    };
    answer: Objects["Done"];
  };
  /** Confirm that it is you */
  "POST /api/auth/confirm": {
    path: {};
    query: {};
    body: {
      /** The person's password. */
      password?: string;
      /** The code that the authenticator shows. */
      code?: string;
      /** The browser's answer, in its JSON form. */
      passkey?: Record<string, unknown>;
    };
    answer: Objects["Confirmation"];
  };
  /** Set up two-step sign-in */
  "POST /api/auth/two-factor/enable": {
    path: {};
    query: {};
    body: {
      /** The person's password, once more. */
      password: string;
    };
    answer: Objects["TwoFactorSetup"];
  };
  /** Verify a code */
  "POST /api/auth/two-factor/verify-totp": {
    path: {};
    query: {};
    body: {
      /** The code that the authenticator shows. */
      code: string;
      /** Ask for no second step in this browser for 30 days. */
      trust_device?: boolean;
    };
    answer: Objects["SignIn"];
  };
  /** Use a recovery code */
  "POST /api/auth/two-factor/verify-recovery-code": {
    path: {};
    query: {};
    body: {
      /** The code that the authenticator shows. */
      code: string;
      /** Ask for no second step in this browser for 30 days. */
      trust_device?: boolean;
    };
    answer: Objects["SignIn"];
  };
  /** Turn two-step sign-in off */
  "POST /api/auth/two-factor/disable": {
    path: {};
    query: {};
    body: {
      /** The person's password, once more. */
      password: string;
    };
    answer: Objects["Done"];
  };
  /** Make new recovery codes */
  "POST /api/auth/two-factor/recovery-codes": {
    path: {};
    query: {};
    body: {
      /** The person's password, once more. */
      password: string;
    };
    answer: Objects["RecoveryCodes"];
  };
  /** Begin to make a passkey */
  "POST /api/auth/passkey/register-options": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["PasskeyOptions"];
  };
  /** Add the passkey that the browser made */
  "POST /api/auth/passkey/register": {
    path: {};
    query: {};
    body: {
      /** What to call it. */
      name: string;
      /** The browser's answer, in its JSON form. */
      response: Record<string, unknown>;
    };
    answer: Objects["Passkey"];
  };
  /** Begin to sign in with a passkey */
  "POST /api/auth/passkey/sign-in-options": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["PasskeyOptions"];
  };
  /** Sign in with a passkey */
  "POST /api/auth/passkey/sign-in": {
    path: {};
    query: {};
    body: {
      /** The browser's answer, in its JSON form. */
      response: Record<string, unknown>;
    };
    answer: Objects["SignIn"];
  };
  /** Read an invitation */
  "POST /api/auth/invitation": {
    path: {};
    query: {};
    body: {
      /** The token of the link in the mail. */
      token: string;
    };
    answer: Objects["OpenInvitation"];
  };
  /** Accept an invitation */
  "POST /api/auth/accept-invitation": {
    path: {};
    query: {};
    body: {
      /** The token of the link in the mail. */
      token: string;
      /** How the person is called. */
      name?: string;
      /** At least 10 characters, and not easy to guess. */
      password?: string;
      /** Language of pages and mails. */
      language?: "en" | "zh";
    };
    answer: Objects["Done"];
  };
  /** Who is signed in */
  "GET /api/profile/me": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["Me"];
  };
  /** Change name or language */
  "PATCH /api/profile/me": {
    path: {};
    query: {};
    body: {
      /** How the person is called. */
      name?: string;
      /** Language of pages and mails. */
      language?: "en" | "zh";
    };
    answer: Objects["Me"];
  };
  /** List sessions */
  "GET /api/profile/sessions": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["PersonSession"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a session's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** End a session */
  "DELETE /api/profile/sessions/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** End all other sessions */
  "POST /api/profile/sessions/end-others": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["Done"];
  };
  /** List passkeys */
  "GET /api/profile/passkeys": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Passkey"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a passkey's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Remove a passkey */
  "DELETE /api/profile/passkeys/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** List merchants */
  "GET /api/admin/merchants": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; status?: ("pending" | "verified" | "rejected")[]; q?: string };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["MerchantOverview"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a merchant's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Retrieve any merchant */
  "GET /api/admin/merchants/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["MerchantOverview"];
  };
  /** Set a merchant's messaging tier */
  "PATCH /api/admin/merchants/{id}": {
    path: { id: string };
    query: {};
    body: {
      /** Plan that sets the limits of the messaging API. */
      messaging_tier: "free" | "starter" | "pro" | "enterprise";
    };
    answer: Objects["MerchantOverview"];
  };
  /** Verify a merchant */
  "POST /api/admin/merchants/{id}/verify": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["MerchantOverview"];
  };
  /** Reject a merchant */
  "POST /api/admin/merchants/{id}/reject": {
    path: { id: string };
    query: {};
    body: {
      /** What the merchant is told. */
      reason: string;
    };
    answer: Objects["MerchantOverview"];
  };
  /** List proofs of all merchants */
  "GET /api/admin/proofs": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["WaitingProof"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a proof's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Approve or reject a merchant's proof */
  "POST /api/admin/proofs/{id}/review": {
    path: { id: string };
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
  /** How the installation does */
  "GET /api/admin/health": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["SystemHealth"];
  };
  /** List or export the audit log of all merchants */
  "GET /api/admin/audit-log": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; actor_id?: string; object_id?: string; action?: string; format?: "json" | "csv" | "jsonl" };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["AuditEntry"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: an entry's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** List Tillpost's own mails */
  "GET /api/admin/emails": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; status?: ("scheduled" | "queued" | "sending" | "delivery_delayed" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; to?: string[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Email"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a message's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Read one of Tillpost's own mails */
  "GET /api/admin/emails/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Email"];
  };
  /** Suspend a merchant's LIVE sending */
  "POST /api/admin/merchants/{id}/suspend-sending": {
    path: { id: string };
    query: {};
    body: {
      /** What the merchant is told. */
      reason: string;
    };
    answer: Objects["MerchantOverview"];
  };
  /** Lift the suspension of a merchant's sending */
  "POST /api/admin/merchants/{id}/resume-sending": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["MerchantOverview"];
  };
  /** Send an e-mail */
  "POST /v1/emails": {
    path: {};
    query: {};
    body: {
      /** Sender: an address, or a name and an address. In LIVE its domain must be verified for this project, or be the platform's own. */
      from: string;
      /** Recipients: an address, or a list. All recipients together are at most 50, and each gets a copy of their own. */
      to: string | string[];
      /** The subject. */
      subject: string;
      /** The message as HTML. One of `html` and `text` is needed. */
      html?: string | null;
      /** The message as plain text; made from the HTML when absent. */
      text?: string | null;
      /** Recipients of copies, whom all see. */
      cc?: string | string[] | null;
      /** Recipients of copies, whom nobody sees. */
      bcc?: string | string[] | null;
      /** Where answers go. */
      reply_to?: string | string[] | null;
      /** Headers of your own, such as `X-Order`. Those that the service writes itself are refused. */
      headers?: Record<string, string> | null;
      /** Up to 50 files, 25 MB in all once decoded. Their bytes come in `content`; addresses of files are not fetched. */
      attachments?: {
        /** The name that the recipient sees. */
        filename: string;
        /** The bytes, in base64. */
        content: string;
        /** Its media type; without it the file name's ending decides. */
        content_type?: string | null;
        /** A name that the HTML shows it by: `logo` is shown by `<img src="cid:logo">`. */
        content_id?: string | null;
      }[] | null;
      /** What is noticed about the recipient. Nothing unless asked for. */
      tracking?: {
        /** Notice when the message is opened, by a picture in the HTML. */
        opens?: boolean;
        /** Notice when a link of the HTML is followed, by leading it through this server. */
        clicks?: boolean;
      } | null;
      /** Adds a way to unsubscribe with one click. Marketing always has it. */
      unsubscribe?: boolean | null;
      /** `marketing` comes with a way to unsubscribe; `transactional` when absent. */
      category?: "transactional" | "marketing";
      /** Up to 50 names and values to find messages by. */
      tags?: {
        /** Up to 256 letters, digits, `_` and `-`. */
        name: string;
        /** The same. */
        value: string;
      }[] | null;
      /** Up to 50 keys of at most 40 characters with texts of at most 500, 16 KB in all. */
      metadata?: Record<string, string> | null;
      /** When to send it, at most 30 days ahead; at once when absent. */
      scheduled_at?: string | null;
      /** Seconds after which a message that was not delivered is given up; two days when absent. */
      expires_in?: number | null;
      /** A public https address that is told of this message's events, signed like a webhook. */
      status_callback?: string | null;
    };
    answer: Objects["Email"];
  };
  /** List e-mails */
  "GET /v1/emails": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("scheduled" | "queued" | "sending" | "delivery_delayed" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; after?: string; before?: string; q?: string; from?: string[]; to?: string[]; tag?: string[]; batch_id?: string[] };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Email"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a message's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Retrieve an e-mail */
  "GET /v1/emails/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Email"];
  };
  /** Send an e-mail at another time */
  "PATCH /v1/emails/{id}": {
    path: { id: string };
    query: {};
    body: {
      /** When to send it, at most 30 days ahead. */
      scheduled_at: string;
    };
    answer: Objects["Email"];
  };
  /** Cancel an e-mail */
  "POST /v1/emails/{id}/cancel": {
    path: { id: string };
    query: {};
    body: Record<string, unknown>;
    answer: Objects["Email"];
  };
  /** List an e-mail's events */
  "GET /v1/emails/{id}/events": {
    path: { id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; after?: string; before?: string };
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
  /** Retrieve an e-mail's source */
  "GET /v1/emails/{id}/source": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: undefined;
  };
  /** Send up to 100 e-mails */
  "POST /v1/emails/batch": {
    path: {};
    query: {};
    body: {
      /** Sender: an address, or a name and an address. In LIVE its domain must be verified for this project, or be the platform's own. */
      from: string;
      /** Recipients: an address, or a list. All recipients together are at most 50, and each gets a copy of their own. */
      to: string | string[];
      /** The subject. */
      subject: string;
      /** The message as HTML. One of `html` and `text` is needed. */
      html?: string | null;
      /** The message as plain text; made from the HTML when absent. */
      text?: string | null;
      /** Recipients of copies, whom all see. */
      cc?: string | string[] | null;
      /** Recipients of copies, whom nobody sees. */
      bcc?: string | string[] | null;
      /** Where answers go. */
      reply_to?: string | string[] | null;
      /** Headers of your own, such as `X-Order`. Those that the service writes itself are refused. */
      headers?: Record<string, string> | null;
      /** Up to 50 files, 25 MB in all once decoded. Their bytes come in `content`; addresses of files are not fetched. */
      attachments?: {
        /** The name that the recipient sees. */
        filename: string;
        /** The bytes, in base64. */
        content: string;
        /** Its media type; without it the file name's ending decides. */
        content_type?: string | null;
        /** A name that the HTML shows it by: `logo` is shown by `<img src="cid:logo">`. */
        content_id?: string | null;
      }[] | null;
      /** What is noticed about the recipient. Nothing unless asked for. */
      tracking?: {
        /** Notice when the message is opened, by a picture in the HTML. */
        opens?: boolean;
        /** Notice when a link of the HTML is followed, by leading it through this server. */
        clicks?: boolean;
      } | null;
      /** Adds a way to unsubscribe with one click. Marketing always has it. */
      unsubscribe?: boolean | null;
      /** `marketing` comes with a way to unsubscribe; `transactional` when absent. */
      category?: "transactional" | "marketing";
      /** Up to 50 names and values to find messages by. */
      tags?: {
        /** Up to 256 letters, digits, `_` and `-`. */
        name: string;
        /** The same. */
        value: string;
      }[] | null;
      /** Up to 50 keys of at most 40 characters with texts of at most 500, 16 KB in all. */
      metadata?: Record<string, string> | null;
      /** When to send it, at most 30 days ahead; at once when absent. */
      scheduled_at?: string | null;
      /** Seconds after which a message that was not delivered is given up; two days when absent. */
      expires_in?: number | null;
      /** A public https address that is told of this message's events, signed like a webhook. */
      status_callback?: string | null;
    }[] | {
      /** Fields that every message of the batch has unless it says otherwise. */
      defaults?: {
        /** Sender: an address, or a name and an address. In LIVE its domain must be verified for this project, or be the platform's own. */
        from?: string;
        /** Recipients: an address, or a list. All recipients together are at most 50, and each gets a copy of their own. */
        to?: string | string[];
        /** The subject. */
        subject?: string;
        /** The message as HTML. One of `html` and `text` is needed. */
        html?: string | null;
        /** The message as plain text; made from the HTML when absent. */
        text?: string | null;
        /** Recipients of copies, whom all see. */
        cc?: string | string[] | null;
        /** Recipients of copies, whom nobody sees. */
        bcc?: string | string[] | null;
        /** Where answers go. */
        reply_to?: string | string[] | null;
        /** Headers of your own, such as `X-Order`. Those that the service writes itself are refused. */
        headers?: Record<string, string> | null;
        /** Up to 50 files, 25 MB in all once decoded. Their bytes come in `content`; addresses of files are not fetched. */
        attachments?: {
          /** The name that the recipient sees. */
          filename: string;
          /** The bytes, in base64. */
          content: string;
          /** Its media type; without it the file name's ending decides. */
          content_type?: string | null;
          /** A name that the HTML shows it by: `logo` is shown by `<img src="cid:logo">`. */
          content_id?: string | null;
        }[] | null;
        /** What is noticed about the recipient. Nothing unless asked for. */
        tracking?: {
          /** Notice when the message is opened, by a picture in the HTML. */
          opens?: boolean;
          /** Notice when a link of the HTML is followed, by leading it through this server. */
          clicks?: boolean;
        } | null;
        /** Adds a way to unsubscribe with one click. Marketing always has it. */
        unsubscribe?: boolean | null;
        /** `marketing` comes with a way to unsubscribe; `transactional` when absent. */
        category?: "transactional" | "marketing";
        /** Up to 50 names and values to find messages by. */
        tags?: {
          /** Up to 256 letters, digits, `_` and `-`. */
          name: string;
          /** The same. */
          value: string;
        }[] | null;
        /** Up to 50 keys of at most 40 characters with texts of at most 500, 16 KB in all. */
        metadata?: Record<string, string> | null;
        /** When to send it, at most 30 days ahead; at once when absent. */
        scheduled_at?: string | null;
        /** Seconds after which a message that was not delivered is given up; two days when absent. */
        expires_in?: number | null;
        /** A public https address that is told of this message's events, signed like a webhook. */
        status_callback?: string | null;
      };
      /** The messages. */
      emails: {
        /** Sender: an address, or a name and an address. In LIVE its domain must be verified for this project, or be the platform's own. */
        from: string;
        /** Recipients: an address, or a list. All recipients together are at most 50, and each gets a copy of their own. */
        to: string | string[];
        /** The subject. */
        subject: string;
        /** The message as HTML. One of `html` and `text` is needed. */
        html?: string | null;
        /** The message as plain text; made from the HTML when absent. */
        text?: string | null;
        /** Recipients of copies, whom all see. */
        cc?: string | string[] | null;
        /** Recipients of copies, whom nobody sees. */
        bcc?: string | string[] | null;
        /** Where answers go. */
        reply_to?: string | string[] | null;
        /** Headers of your own, such as `X-Order`. Those that the service writes itself are refused. */
        headers?: Record<string, string> | null;
        /** Up to 50 files, 25 MB in all once decoded. Their bytes come in `content`; addresses of files are not fetched. */
        attachments?: {
          /** The name that the recipient sees. */
          filename: string;
          /** The bytes, in base64. */
          content: string;
          /** Its media type; without it the file name's ending decides. */
          content_type?: string | null;
          /** A name that the HTML shows it by: `logo` is shown by `<img src="cid:logo">`. */
          content_id?: string | null;
        }[] | null;
        /** What is noticed about the recipient. Nothing unless asked for. */
        tracking?: {
          /** Notice when the message is opened, by a picture in the HTML. */
          opens?: boolean;
          /** Notice when a link of the HTML is followed, by leading it through this server. */
          clicks?: boolean;
        } | null;
        /** Adds a way to unsubscribe with one click. Marketing always has it. */
        unsubscribe?: boolean | null;
        /** `marketing` comes with a way to unsubscribe; `transactional` when absent. */
        category?: "transactional" | "marketing";
        /** Up to 50 names and values to find messages by. */
        tags?: {
          /** Up to 256 letters, digits, `_` and `-`. */
          name: string;
          /** The same. */
          value: string;
        }[] | null;
        /** Up to 50 keys of at most 40 characters with texts of at most 500, 16 KB in all. */
        metadata?: Record<string, string> | null;
        /** When to send it, at most 30 days ahead; at once when absent. */
        scheduled_at?: string | null;
        /** Seconds after which a message that was not delivered is given up; two days when absent. */
        expires_in?: number | null;
        /** A public https address that is told of this message's events, signed like a webhook. */
        status_callback?: string | null;
      }[];
    } | {
      /** Fields that every message of the batch has unless it says otherwise. */
      defaults?: {
        /** Sender: an address, or a name and an address. In LIVE its domain must be verified for this project, or be the platform's own. */
        from?: string;
        /** Recipients: an address, or a list. All recipients together are at most 50, and each gets a copy of their own. */
        to?: string | string[];
        /** The subject. */
        subject?: string;
        /** The message as HTML. One of `html` and `text` is needed. */
        html?: string | null;
        /** The message as plain text; made from the HTML when absent. */
        text?: string | null;
        /** Recipients of copies, whom all see. */
        cc?: string | string[] | null;
        /** Recipients of copies, whom nobody sees. */
        bcc?: string | string[] | null;
        /** Where answers go. */
        reply_to?: string | string[] | null;
        /** Headers of your own, such as `X-Order`. Those that the service writes itself are refused. */
        headers?: Record<string, string> | null;
        /** Up to 50 files, 25 MB in all once decoded. Their bytes come in `content`; addresses of files are not fetched. */
        attachments?: {
          /** The name that the recipient sees. */
          filename: string;
          /** The bytes, in base64. */
          content: string;
          /** Its media type; without it the file name's ending decides. */
          content_type?: string | null;
          /** A name that the HTML shows it by: `logo` is shown by `<img src="cid:logo">`. */
          content_id?: string | null;
        }[] | null;
        /** What is noticed about the recipient. Nothing unless asked for. */
        tracking?: {
          /** Notice when the message is opened, by a picture in the HTML. */
          opens?: boolean;
          /** Notice when a link of the HTML is followed, by leading it through this server. */
          clicks?: boolean;
        } | null;
        /** Adds a way to unsubscribe with one click. Marketing always has it. */
        unsubscribe?: boolean | null;
        /** `marketing` comes with a way to unsubscribe; `transactional` when absent. */
        category?: "transactional" | "marketing";
        /** Up to 50 names and values to find messages by. */
        tags?: {
          /** Up to 256 letters, digits, `_` and `-`. */
          name: string;
          /** The same. */
          value: string;
        }[] | null;
        /** Up to 50 keys of at most 40 characters with texts of at most 500, 16 KB in all. */
        metadata?: Record<string, string> | null;
        /** When to send it, at most 30 days ahead; at once when absent. */
        scheduled_at?: string | null;
        /** Seconds after which a message that was not delivered is given up; two days when absent. */
        expires_in?: number | null;
        /** A public https address that is told of this message's events, signed like a webhook. */
        status_callback?: string | null;
      };
      /** The messages. */
      messages: {
        /** Sender: an address, or a name and an address. In LIVE its domain must be verified for this project, or be the platform's own. */
        from: string;
        /** Recipients: an address, or a list. All recipients together are at most 50, and each gets a copy of their own. */
        to: string | string[];
        /** The subject. */
        subject: string;
        /** The message as HTML. One of `html` and `text` is needed. */
        html?: string | null;
        /** The message as plain text; made from the HTML when absent. */
        text?: string | null;
        /** Recipients of copies, whom all see. */
        cc?: string | string[] | null;
        /** Recipients of copies, whom nobody sees. */
        bcc?: string | string[] | null;
        /** Where answers go. */
        reply_to?: string | string[] | null;
        /** Headers of your own, such as `X-Order`. Those that the service writes itself are refused. */
        headers?: Record<string, string> | null;
        /** Up to 50 files, 25 MB in all once decoded. Their bytes come in `content`; addresses of files are not fetched. */
        attachments?: {
          /** The name that the recipient sees. */
          filename: string;
          /** The bytes, in base64. */
          content: string;
          /** Its media type; without it the file name's ending decides. */
          content_type?: string | null;
          /** A name that the HTML shows it by: `logo` is shown by `<img src="cid:logo">`. */
          content_id?: string | null;
        }[] | null;
        /** What is noticed about the recipient. Nothing unless asked for. */
        tracking?: {
          /** Notice when the message is opened, by a picture in the HTML. */
          opens?: boolean;
          /** Notice when a link of the HTML is followed, by leading it through this server. */
          clicks?: boolean;
        } | null;
        /** Adds a way to unsubscribe with one click. Marketing always has it. */
        unsubscribe?: boolean | null;
        /** `marketing` comes with a way to unsubscribe; `transactional` when absent. */
        category?: "transactional" | "marketing";
        /** Up to 50 names and values to find messages by. */
        tags?: {
          /** Up to 256 letters, digits, `_` and `-`. */
          name: string;
          /** The same. */
          value: string;
        }[] | null;
        /** Up to 50 keys of at most 40 characters with texts of at most 500, 16 KB in all. */
        metadata?: Record<string, string> | null;
        /** When to send it, at most 30 days ahead; at once when absent. */
        scheduled_at?: string | null;
        /** Seconds after which a message that was not delivered is given up; two days when absent. */
        expires_in?: number | null;
        /** A public https address that is told of this message's events, signed like a webhook. */
        status_callback?: string | null;
      }[];
    };
    answer: Objects["Batch"];
  };
  /** List batches */
  "GET /v1/batches": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; after?: string; before?: string };
    body: undefined;
    answer: {
      /** Always `list`. */
      object: "list";
      /** Path of this list. */
      url: string;
      /** The page, newest first. */
      data: Objects["Batch"][];
      /** Whether more objects follow. */
      has_more: boolean;
      /** Pass it on to read further: a batch's id. */
      next_cursor: string | null;
      /** Number of all objects that fit, when `include=total_count` asked for it. */
      total_count?: number;
    };
  };
  /** Retrieve a batch */
  "GET /v1/batches/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Batch"];
  };
  /** Play what a recipient does */
  "POST /v1/test/inbound": {
    path: {};
    query: {};
    body: {
      /** What the recipient does. */
      type: "reply" | "complaint" | "bounce" | "unsubscribe";
      /** The message, which must have arrived. */
      email_id: string;
      /** Which of several recipients; the first when absent. */
      recipient?: string | null;
      /** What a reply says. */
      text?: string | null;
    };
    answer: Objects["Inbound"];
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
    query: { limit?: number; starting_after?: string; ending_before?: string; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; after?: string; before?: string; channel?: ("email" | "sms" | "call")[]; reason?: ("bounce" | "complaint" | "unsubscribe" | "manual")[]; address?: string[]; q?: string };
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
  /** What was sent, beside what the tier allows */
  "GET /v1/usage": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["Usage"];
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
