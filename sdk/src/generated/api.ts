// Written by `npm run generate` from the routes of the server. Do not edit.

export interface Objects {
  /** The shape of every response with status 400 or higher. */
  Error: {
    /** Only on `/v1`: the error's code again, for clients written for other services. */
    name?: string;
    /** The message again, likewise. */
    message?: string;
    /** The status again, likewise. */
    statusCode?: number;
    /** What went wrong. */
    error: {
      /** The type of error. */
      type: "api_error" | "authentication_error" | "conflict_error" | "gateway_error" | "idempotency_error" | "invalid_request_error" | "not_found_error" | "permission_error" | "rate_limit_error";
      /** The error's permanent code, for programs. */
      code: "amount_out_of_range" | "attachment_invalid" | "batch_too_large" | "card_number_refused" | "country_not_allowed" | "domain_not_verified" | "header_not_allowed" | "idempotency_key_invalid" | "invalid_cursor" | "invalid_json" | "limit_reached" | "parameter_conflict" | "parameter_invalid" | "parameter_missing" | "parameter_unknown" | "recipient_invalid" | "recipient_opted_out" | "sender_not_allowed" | "unsupported_currency" | "url_not_allowed" | "api_key_expired" | "api_key_invalid" | "api_key_revoked" | "authentication_required" | "environment_mismatch" | "fresh_session_required" | "ip_not_allowed" | "merchant_not_verified" | "origin_not_allowed" | "permission_denied" | "project_mismatch" | "sending_suspended" | "session_required" | "gateway_not_found" | "payment_link_not_found" | "resource_missing" | "route_missing" | "method_not_allowed" | "request_timeout" | "asset_in_use" | "call_state_conflict" | "collection_profile_missing" | "email_state_conflict" | "endpoint_disabled" | "gateway_not_configured" | "idempotency_key_in_use" | "no_free_amount" | "no_route" | "number_taken" | "order_already_paid" | "order_state_conflict" | "reference_exists" | "refund_exceeds_received" | "review_exists" | "secret_roll_conflict" | "session_active" | "shortfall_unconfirmed" | "sms_state_conflict" | "verification_state_conflict" | "version_conflict" | "endpoint_removed" | "payment_link_expired" | "payment_link_revoked" | "body_too_large" | "file_too_large" | "unsupported_media_type" | "host_not_allowed" | "idempotency_key_reused" | "image_unreadable" | "qr_channel_mismatch" | "qr_fixed_amount" | "qr_not_decodable" | "qr_order_bound" | "qr_payment_code" | "too_many_pixels" | "concurrency_limited" | "quota_exceeded" | "rate_limited" | "verification_limit" | "internal_error" | "gateway_error" | "service_unavailable" | "gateway_timeout";
      /** A message for people. It can change. */
      message: string;
      /** The invalid parameter, as a dotted path. */
      param?: string;
      /** All errors found, if there can be several. */
      details?: {
        /** The invalid parameter. */
        param?: string;
        /** The error code. */
        code?: string;
        /** A message for people. It can change. */
        message?: string;
        /** The reason, more specific than the code and just as stable: create your own messages from it. */
        reason?: string;
        /** The reason's details, such as `min`, `max` or `allowed`. */
        values?: Record<string, unknown>;
      }[];
      /** The reason, if the error is about the whole request. */
      reason?: string;
      /** The reason's details. */
      values?: Record<string, unknown>;
      /** Where this code is explained. */
      doc_url: string;
      /** The same ID as in the `Request-Id` header. Include it when you ask for help. */
      request_id: string;
    };
  };
  /** A merchant account: it owns projects. */
  Merchant: {
    /** The merchant's ID. */
    id: string;
    /** Always `merchant`. */
    object: "merchant";
    /** The name people see. */
    display_name: string;
    /** Only a verified merchant can accept LIVE payments. */
    verification_status: "pending" | "verified" | "rejected";
    /** When the merchant was verified. */
    verified_at: string | null;
    /** The tier that sets the messaging API's limits. */
    messaging_tier: "free" | "starter" | "pro" | "enterprise";
    /** How much less than the amount due a reviewer can accept without confirming it, in hundredths of a percent. */
    shortfall_tolerance_bps: number;
    /** Whether all members need two-step sign-in or a passkey. */
    second_step_required: boolean;
    /** Increases by one with every change. */
    version: number;
    /** When the account was created. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** A business unit or site. All payment data belongs to a project. */
  Project: {
    /** The project's ID. */
    id: string;
    /** Always `project`. */
    object: "project";
    /** The merchant that owns the project. */
    merchant_id: string;
    /** The project's name. */
    name: string;
    /** A short name, unique within the merchant. */
    slug: string;
    /** The usual currency of this project's new orders. */
    default_currency: string;
    /** The project's own settings, such as its branding, its time zone and the order of its gateways. */
    settings: Record<string, unknown>;
    /** Increases by one with every change. */
    version: number;
    /** When the project was created. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** A key that your servers authenticate with. It belongs to one project and one environment. */
  ApiKey: {
    /** The key's ID. */
    id: string;
    /** Always `api_key`. */
    object: "api_key";
    /** The project. */
    project_id: string;
    /** What the key is for. */
    name: string;
    /** The environment it works in. */
    environment: "test" | "live";
    /** False in the TEST environment. */
    livemode: boolean;
    /** The start of the key. */
    prefix: string;
    /** The last four characters of the key. */
    last4: string;
    /** The key's permissions. */
    permissions: string[];
    /** Only an active key works. */
    status: "active" | "revoked" | "expired";
    /** The addresses and CIDR ranges the key can be used from. Empty: from anywhere. */
    allowed_ips: string[];
    /** When it expires. */
    expires_at: string | null;
    /** When it was last used, accurate to within seconds. */
    last_used_at: string | null;
    /** When it was revoked, or when it will be if it's being replaced. */
    revoked_at: string | null;
    /** The key it replaced. */
    rotated_from: string | null;
    /** The account whose incoming transfers it reports, such as `wechat:main`; null for any. */
    receiving_account: string | null;
    /** Who created it. */
    created_by: string | null;
    /** What the key's owner should fix. */
    warnings: {
      /** The warning's code. */
      code: "no_allowed_ips";
      /** A message for people. */
      message: string;
    }[];
    /** The key itself. Only shown when it's created or rotated. */
    secret: string | null;
    /** Increases by one with every change. */
    version: number;
    /** When it was created. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** How often a key used one of the deprecated flat paths. */
  FlatPathUse: {
    /** The key and the endpoint. */
    id: string;
    /** Always `flat_path_use`. */
    object: "flat_path_use";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The key. */
    key_id: string;
    /** The path to use instead. */
    endpoint: string;
    /** How many times it was used. */
    uses: number;
    /** When it was last used. */
    last_used_at: string;
  };
  /** A person who belongs to a merchant. */
  Member: {
    /** The membership's ID. */
    id: string;
    /** Always `member`. */
    object: "member";
    /** The merchant. */
    merchant_id: string;
    /** The person. */
    person_id: string;
    /** Their email address. */
    email: string;
    /** Their name. */
    name: string;
    /** Whether they use two-step sign-in. */
    two_factor_enabled: boolean;
    /** Their role, which determines their permissions. */
    role: "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";
    /** Until when a newly added owner, or a member who got the role from one, can't change LIVE codes, LIVE keys, LIVE gateway accounts or owners. */
    new_owner_until: string | null;
    /** Increases by one with every change. */
    version: number;
    /** When they joined. */
    created_at: string;
    /** When their role was last changed. */
    updated_at: string;
  };
  /** An invitation that hasn't been accepted yet. */
  Invitation: {
    /** The invitation's ID. */
    id: string;
    /** Always `invitation`. */
    object: "invitation";
    /** The merchant. */
    merchant_id: string;
    /** The address that was invited. */
    email: string;
    /** The role they will have. */
    role: "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";
    /** The email's language. */
    language: "en" | "zh";
    /** Who invited them. */
    invited_by: string;
    /** When the link expires. */
    expires_at: string;
    /** When they were invited. */
    created_at: string;
  };
  /** A removed member, and what happened to the API keys they created. */
  MemberRemoval: {
    /** The membership's ID. */
    id: string;
    /** Always `member`. */
    object: "member";
    /** Always true. */
    deleted: true;
    /** The keys that were revoked in the same step. */
    revoked_api_keys: string[];
    /** Keys they created that still work, newest first. */
    api_keys: Objects["ApiKey"][];
  };
  /** Who did what. Entries are never changed; a hash chains each to all before it. */
  AuditEntry: {
    /** The entry's ID. */
    id: string;
    /** Always `audit_entry`. */
    object: "audit_entry";
    /** The merchant whose log it is. */
    merchant_id: string;
    /** The project, if the action concerned one. */
    project_id: string | null;
    /** The environment, if the action concerned a project. */
    livemode: boolean | null;
    /** What kind of actor did it. */
    actor_kind: "api_key" | "person" | "buyer" | "provider" | "system";
    /** Its ID. */
    actor_id: string;
    /** A person's address. */
    actor_email: string | null;
    /** The action. */
    action: string;
    /** The type of object the action was on. */
    object_type: string;
    /** Its ID. */
    object_id: string | null;
    /** The action's details. */
    detail: Record<string, unknown>;
    /** The request that did it. */
    request_id: string | null;
    /** Its position in the merchant's chain; null for the first moments after the action. */
    position: number | null;
    /** The hash of the entry and the one before it. */
    hash: string | null;
    /** When it happened. */
    created_at: string;
  };
  /** The project and environment that paths without a project use in this session. */
  ActiveProject: {
    /** Always `active_project`. */
    object: "active_project";
    /** The project; null for the merchant's newest. */
    active_project_id: string | null;
    /** The environment. */
    active_environment: "TEST" | "LIVE";
  };
  /** An amount to be paid, with its payment link. */
  Order: {
    /** The order's ID. */
    id: string;
    /** Always `order`. */
    object: "order";
    /** The project the order belongs to. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** Your own reference for the order; its ID if you gave none. */
    reference: string;
    /** The order's status. */
    status: "unpaid" | "pending_verify" | "paid" | "failed" | "expired" | "canceled";
    /** Anything unusual about how it was paid. */
    flags: ("paid_late" | "underpaid" | "overpaid" | "manually_verified" | "auto_matched" | "duplicate_payment" | "payment_reversed" | "disputed")[];
    /** Increases by one with every change. */
    version: number;
    /** The amount in minor units. */
    amount_minor: number;
    /** The currency. */
    currency: string;
    /** The amount booked as its payment; never more than the order's amount. */
    amount_received_minor: number;
    /** Money that arrived for the order but isn't part of `amount_received_minor`: part payments until the rest arrives, and anything beyond the order's amount. */
    amount_held_minor: number;
    /** The part of `amount_received_minor` that was refunded: the sum of the order's successful refunds. */
    amount_refunded_minor: number;
    /** The part of `amount_received_minor` that the provider took back for disputes that are open or lost. Together with refunds, never more than `amount_received_minor`. */
    amount_disputed_minor: number;
    /** What the buyer sees next to the amount. */
    description: string | null;
    /** Your own keys and values, included in every event of the order. */
    metadata: Record<string, string>;
    /** The buyer, as far as you provided details. */
    customer: {
      /** Name. */
      name: string | null;
      /** Email address. */
      email: string | null;
      /** Phone number. */
      phone: string | null;
    };
    /** Where the page sends the buyer after payment. */
    return_url: string | null;
    /** The page's language; `auto` follows the browser. */
    locale: string;
    /** What prevents an unpaid order from being paid. `no_payment_method`: the project has no payment method for the order's currency. */
    warnings: {
      /** The warning's code. */
      code: "no_payment_method";
      /** A message for people. */
      message: string;
    }[];
    /** The newest link to the hosted page. */
    payment_link: {
      /** The link's ID. */
      id: string;
      /** Always `payment_link`. */
      object: "payment_link";
      /** The secret in the link's address. */
      token: string;
      /** Send the buyer here. */
      url: string;
      /** Whether the link can be paid. */
      status: "active" | "paid" | "expired" | "revoked";
      /** When it stops accepting payment. */
      expires_at: string;
      /** When it was issued. */
      created_at: string;
    } | null;
    /** The current payment attempt: the open one, or the last that changed. */
    latest_payment_session: Objects["PaymentSession"] | null;
    /** Why it ended without payment: `expired`, `canceled` or `proof_rejected`. */
    failure_code: string | null;
    /** When it stops accepting payment. */
    expires_at: string;
    /** When it was paid. */
    paid_at: string | null;
    /** When it failed. */
    failed_at: string | null;
    /** When it was canceled. */
    canceled_at: string | null;
    /** When the buyer said they had paid, although the order was canceled. The order stays canceled. Null again once someone dismisses the claim. */
    claimed_at: string | null;
    /** When it was created. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
    /** All payment attempts, with `expand[]=payment_sessions`. */
    payment_sessions?: Objects["PaymentSession"][];
    /** All proofs, with `expand[]=vouchers`. */
    vouchers?: Objects["Voucher"][];
    /** All refunds, with `expand[]=refunds`. */
    refunds?: Objects["Refund"][];
  };
  /** One attempt to pay an order through one gateway. */
  PaymentSession: {
    /** The session's ID. */
    id: string;
    /** Always `payment_session`. */
    object: "payment_session";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The order it's for. */
    order_id: string;
    /** The gateway. */
    gateway: string;
    /** The payment method. */
    method: string;
    /** Details specific to this kind of payment method. */
    method_data: {
      /** Your own receiving code. */
      type: "personal_qr";
      /** The name the buyer's wallet shows. */
      payee_name: string | null;
      /** How its payments are told apart. */
      matching_mode: "exact" | "remark" | "unique_amount";
      /** What the buyer enters in the transfer's note, if payments are matched by it. */
      remark_code: string | null;
    } | {
      /** A provider. */
      type: "gateway";
    };
    /** The account that receives the money: `channel:account` for a receiving code, the gateway account's ID for a gateway; null if unknown. */
    account: string | null;
    /** Whether the provider is simulated, so that no real money is involved. */
    demo: boolean;
    /** The receiving code's collection profile; null for other gateways. */
    channel: string | null;
    /** The payment's status. */
    status: "pending" | "processing" | "pending_verify" | "succeeded" | "failed" | "expired" | "canceled";
    /** The order's amount due. */
    amount_minor: number;
    /** The amount the buyer is asked to pay; slightly lower if payments are told apart by amount. */
    payable_amount_minor: number;
    /** The currency. */
    currency: string;
    /** How a receiving code's payments are told apart; null for other gateways. */
    matching_mode: "exact" | "remark" | "unique_amount" | null;
    /** What the buyer enters in the transfer's note, if payments are matched by it. */
    remark_code: string | null;
    /** Anything unusual about it. */
    flags: "ambiguous_amount"[];
    /** What the buyer does next; null if there's nothing left to do, and once the code or page has expired: start the payment again for a new one. Receiving codes use `display_qr`; gateways can use any of them. */
    next_action: {
      /** Show the code so that the buyer can scan or save it. */
      type: "display_qr";
      /** The code's text; null if there's only an image of it. */
      qr_payload: string | null;
      /** The code as an SVG. */
      qr_svg_url: string | null;
      /** The code as a PNG, which a phone can save and scan. */
      qr_png_url: string;
      /** Your instructions for the buyer, by language tag. */
      instructions: Record<string, string>;
    } | {
      /** Redirect the buyer to the gateway's page. */
      type: "redirect";
      /** The page's address. */
      url: string;
    } | {
      /** Post a form to the gateway. */
      type: "form";
      /** The address to post the form to. */
      action: string;
      /** The form's hidden fields. */
      fields: Record<string, string>;
    } | {
      /** Open the payment inside WeChat's browser. */
      type: "wechat_jsapi";
      /** The parameters for WeChat's `getBrandWCPayRequest`. */
      params: Record<string, string>;
    } | null;
    /** Until when the code is offered to the buyer. */
    expires_at: string;
    /** When the buyer reported the payment. */
    reported_at: string | null;
    /** When the payment was confirmed. */
    verified_at: string | null;
    /** Why it failed. */
    failure_code: string | null;
    /** When it was started. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** One attempt to pay an order through a gateway, as the provider records it. */
  GatewayPayment: {
    /** The payment's ID. */
    id: string;
    /** Always `gateway_payment`. */
    object: "gateway_payment";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The gateway. */
    gateway: string;
    /** The order's reference. */
    reference: string;
    /** The order it's for. */
    order_id: string;
    /** The payment session. Its ID is the payment's reference at the provider. */
    payment_session_id: string;
    /** The account with the provider that receives the money. */
    account: string;
    /** Whether the provider is simulated, so that no real money is involved. */
    demo: boolean;
    /** The status. `requires_action`: the buyer can pay through `next_action`. `pending`: it was requested, but the provider hasn't responded, or its code or page has expired: request it again for a new one. `processing`: the provider is processing it. */
    status: "pending" | "requires_action" | "processing" | "succeeded" | "failed" | "canceled" | "expired";
    /** The amount the buyer pays. */
    amount_minor: number;
    /** The currency. */
    currency: string;
    /** What the buyer does next; null if there's nothing left to do, and once the code or page has expired: start the payment again for a new one. Receiving codes use `display_qr`; gateways can use any of them. */
    next_action: {
      /** Show the code so that the buyer can scan or save it. */
      type: "display_qr";
      /** The code's text; null if there's only an image of it. */
      qr_payload: string | null;
      /** The code as an SVG. */
      qr_svg_url: string | null;
      /** The code as a PNG, which a phone can save and scan. */
      qr_png_url: string;
      /** Your instructions for the buyer, by language tag. */
      instructions: Record<string, string>;
    } | {
      /** Redirect the buyer to the gateway's page. */
      type: "redirect";
      /** The page's address. */
      url: string;
    } | {
      /** Post a form to the gateway. */
      type: "form";
      /** The address to post the form to. */
      action: string;
      /** The form's hidden fields. */
      fields: Record<string, string>;
    } | {
      /** Open the payment inside WeChat's browser. */
      type: "wechat_jsapi";
      /** The parameters for WeChat's `getBrandWCPayRequest`. */
      params: Record<string, string>;
    } | null;
    /** The provider's ID for the transaction, or for the payment as long as there is no transaction. */
    gateway_transaction_id: string | null;
    /** The provider's ID for the payment, as searchable in the provider's dashboard; null until the provider has responded. */
    gateway_payment_id: string | null;
    /** The provider's own status for it, as last reported. */
    gateway_status: string | null;
    /** The provider's fee; null if the provider doesn't report it, or hasn't yet. */
    fee: {
      /** The amount. */
      amount_minor: number;
      /** The currency, which can differ from the payment's. */
      currency: string;
    } | null;
    /** When the buyer paid, according to the provider. */
    paid_at: string | null;
    /** Why it failed: the provider's code, or `mismatch`, `not_created`, `refunded`, `underpaid`. `outcome_unknown`: it expired because the provider didn't report its result for days. */
    failure_code: string | null;
    /** The provider's message about why it failed. */
    failure_message: string | null;
    /** When it stops accepting payment. */
    expires_at: string;
    /** When it was started. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** A proof of payment, which a reviewer approves or rejects. */
  Voucher: {
    /** The proof's ID. */
    id: string;
    /** Always `voucher`. */
    object: "voucher";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The order it's for. */
    order_id: string;
    /** The payment attempt it proves. */
    payment_session_id: string;
    /** The proof's status. */
    status: "submitted" | "approved" | "rejected" | "superseded";
    /** The image. */
    asset_id: string | null;
    /** Shows the image. Works for 15 minutes. */
    asset_url: string | null;
    /** The transfer number, as entered by the payer. */
    transaction_reference: string | null;
    /** The payer's name, as entered by the payer. */
    payer_name: string | null;
    /** When the payer says they paid. */
    paid_at: string | null;
    /** The amount the payer says they sent. */
    amount_minor: number | null;
    /** A note from the payer. */
    note: string | null;
    /** The hash of the image as it was uploaded. */
    sha256: string | null;
    /** What a reviewer should check: `duplicate_image`, `duplicate_reference`, `amount_mismatch`, `time_mismatch`. */
    risk_flags: string[];
    /** Who decided. */
    reviewed_by: string | null;
    /** When it was reviewed. */
    reviewed_at: string | null;
    /** Why it was rejected. */
    rejection_reason: string | null;
    /** When it was submitted. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** A reviewer's decision on a payment of an order. */
  Review: {
    /** The review's ID, which is also its entry in the audit log. */
    id: string;
    /** Always `review`. */
    object: "review";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The order. */
    order_id: string;
    /** The decision. `reversed`: a booked payment turned out to be a mistake. */
    decision: "approved" | "rejected" | "reversed";
    /** Who decided. */
    reviewer: {
      /** What kind of actor it was. */
      kind: string;
      /** Their ID. */
      id: string;
      /** Their name; null once they have been removed. */
      name: string | null;
    };
    /** For an approval: how the money arrived. */
    gateway: string | null;
    /** For an approval, the amount that arrived; for a reversal, the amount that was taken back out. */
    received_amount_minor: number | null;
    /** The transfer number, if the reviewer or a receipt provided one. */
    external_transaction_id: string | null;
    /** Why it was rejected or reversed. */
    reason_code: string | null;
    /** What the reviewer added. */
    note: string | null;
    /** When it was decided. */
    created_at: string;
  };
  /** Money that doesn't match an open order and needs a decision. */
  PaymentException: {
    /** The exception's ID. */
    id: string;
    /** Always `payment_exception`. */
    object: "payment_exception";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The kind of exception. */
    kind: "late" | "duplicate" | "underpaid" | "overpaid" | "unmatched" | "mismatch";
    /** Whether it has been resolved. */
    status: "open" | "resolved";
    /** The order it appears to be for. */
    order_id: string | null;
    /** That order's reference. */
    reference: string | null;
    /** The payment attempt it appears to belong to. */
    payment_session_id: string | null;
    /** The receipt that reported it. */
    receipt_id: string | null;
    /** The gateway where the money is. */
    gateway: string;
    /** The transfer number at the gateway. */
    external_id: string;
    /** The amount in minor units; 0 if it isn't known, such as for a line of a provider's list that can't be read. */
    amount_minor: number;
    /** The currency. */
    currency: string;
    /** The transaction that holds the money; null if the money isn't booked, such as for a code that arrived with a different amount. */
    transaction_id: string | null;
    /** What you need to know to decide. */
    detail: Record<string, unknown>;
    /** The resolution: `accept`, `refund`, `ignore`, `applied` if it paid its order together with the rest, or `released` if it was removed from the books. */
    resolution: string | null;
    /** The reason. */
    resolution_note: string | null;
    /** The order the money was assigned to. */
    resolved_order_id: string | null;
    /** Who decided. */
    resolved_by: string | null;
    /** When it was resolved. */
    resolved_at: string | null;
    /** Increases by one with every change. */
    version: number;
    /** When it was detected. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** Money that goes back to a buyer, from what an order received or from what an exception held. */
  Refund: {
    /** The refund's ID. */
    id: string;
    /** Always `refund`. */
    object: "refund";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The order; null for money without a known order. */
    order_id: string | null;
    /** The exception that held the money. Such a refund doesn't count in the order's `amount_refunded_minor`. */
    exception_id: string | null;
    /** The payment that is refunded. */
    payment_session_id: string | null;
    /** The gateway the money arrived through, and the wallet it's taken from. */
    gateway: string;
    /** `gateway`: the payment's provider pays it back. `manual`: someone paid it back and recorded it. */
    method: "gateway" | "manual";
    /** `pending`: the provider is processing it, or is about to be asked to. `requires_action`: the buyer has to claim the money at the address in `next_action`. `unknown`: the provider's response was lost; Tillpost keeps checking with the provider. `succeeded`: the money was paid back; if the bank still returns it, the refund becomes `failed`. `failed`: the money is back in the wallet, or never left it. */
    status: "pending" | "requires_action" | "unknown" | "succeeded" | "failed";
    /** The amount in minor units. */
    amount_minor: number;
    /** The currency. */
    currency: string;
    /** The reason. */
    reason: string | null;
    /** A note. */
    note: string | null;
    /** How it was paid back: `wechat`, `alipay`, `bank_transfer`, `cash`, `other`. */
    channel: string | null;
    /** Who paid it back, if recorded. */
    paid_back_by: string | null;
    /** When it was paid back. */
    paid_back_at: string | null;
    /** The transfer number of the repayment. */
    external_transaction_id: string | null;
    /** An image that shows the repayment. */
    asset_id: string | null;
    /** Shows that image. Works for 15 minutes. */
    asset_url: string | null;
    /** The provider's ID for it. */
    gateway_refund_id: string | null;
    /** What the buyer has to do: `{type: "redirect", url}` is where they claim the money. Anyone who has the address can claim it. */
    next_action: Record<string, unknown> | null;
    /** Why it failed: the provider's code, `disputed` if a dispute took the money before the refund was requested, or `not_sent` or `returned` if someone marked it as failed. */
    failure_code: string | null;
    /** The note about the failure, or the provider's message. */
    failure_note: string | null;
    /** The transaction that took the money out of the wallet. */
    transaction_id: string | null;
    /** Who requested or recorded it; `system` if it was made at the provider. */
    created_by: string;
    /** Increases by one with every change. */
    version: number;
    /** When it was recorded, or when the provider reported success. */
    succeeded_at: string | null;
    /** When it was marked as failed, or when the provider reported the failure. */
    failed_at: string | null;
    /** When it was requested or recorded. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** A payment that the buyer disputes at their bank or at the provider. You respond to it at the provider; Tillpost keeps the books. */
  Dispute: {
    /** The dispute's ID. */
    id: string;
    /** Always `dispute`. */
    object: "dispute";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The gateway account it was reported on. */
    credential_id: string;
    /** The order; null for an unknown payment. */
    order_id: string | null;
    /** The payment that is disputed. */
    payment_session_id: string | null;
    /** The gateway it was paid through, and the wallet the money is taken from. */
    gateway: string;
    /** The provider's ID for it. */
    provider_dispute_id: string;
    /** `inquiry`: the bank or the provider is asking, and hasn't taken any money yet. `opened`: the provider has taken the money for now. `won`: the money was returned, or was never taken. `lost`: the money isn't returned. */
    status: "inquiry" | "opened" | "won" | "lost";
    /** The disputed amount in minor units. */
    amount_minor: number;
    /** The currency. */
    currency: string;
    /** The reason, in the provider's terms. */
    reason: string | null;
    /** Whether the payment's money is in the books, so that the dispute takes it out. If it isn't, an exception is opened for someone to decide. */
    in_books: boolean;
    /** The provider's fee for the dispute, if reported. */
    fee_minor: number | null;
    /** The fee's currency. If it differs from the dispute's, the fee isn't booked. */
    fee_currency: string | null;
    /** The transaction that took the money out of the wallet, as long as it's out. */
    transaction_id: string | null;
    /** The exception opened for it. */
    payment_exception_id: string | null;
    /** The provider's time for this status. */
    told_at: string;
    /** When it was first reported. */
    created_at: string;
    /** When it was won or lost. If it was lost again after an appeal, when it was first lost. */
    ended_at: string | null;
    /** Increases by one with every change. */
    version: number;
    /** When it was last updated. */
    updated_at: string;
  };
  /** The amounts a project received in a period. */
  Figures: {
    /** Always `figures`. */
    object: "figures";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The start of the period. */
    from: string;
    /** The end of the period, which isn't included. */
    to: string;
    /** The time zone whose midnights separate days. */
    time_zone: string;
    /** What was paid, refunded and disputed on each day with any of these. */
    days: {
      /** The day. */
      day: string;
      /** The currency. */
      currency: string;
      /** How many orders were paid. */
      paid_count: number;
      /** How much of their amounts was received, in minor units. Less than the sum of their amounts if less was asked for or accepted. Money beyond an order's amount isn't counted. */
      paid_minor: number;
      /** The refunds that succeeded on this day, in minor units, regardless of when the money was received. */
      refunded_minor: number;
      /** What providers took for disputes on this day minus what they returned, in minor units. Negative if they returned more. */
      disputed_minor: number;
    }[];
    /** Verified payments, refunds and disputes by gateway. */
    channels: {
      /** The gateway. */
      gateway: string;
      /** The currency. */
      currency: string;
      /** How many orders were paid. */
      paid_count: number;
      /** How much of their amounts was received, in minor units. Less than the sum of their amounts if less was asked for or accepted. Money beyond an order's amount isn't counted. */
      paid_minor: number;
      /** The refunds that succeeded on this day, in minor units, regardless of when the money was received. */
      refunded_minor: number;
      /** What providers took for disputes on this day minus what they returned, in minor units. Negative if they returned more. */
      disputed_minor: number;
    }[];
    /** What happened to the orders created in the period. */
    orders: {
      /** Orders created in the period. */
      created: number;
      /** How many of them are paid, failed, expired or canceled. */
      ended: number;
      /** How many of them are paid. */
      paid: number;
    };
    /** The median time from a buyer's report to its verification by a reviewer or a matching receipt, in seconds. Rejections don't count. */
    review_seconds: number | null;
  };
  /** One entry in the ledger. */
  Transaction: {
    /** The transaction's ID. */
    id: string;
    /** Always `transaction`. */
    object: "transaction";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The type: `payment`, `refund`, `fee`, `adjustment` or `reversal`. Money a dispute takes or returns is an adjustment. `payout` is reserved and not used. */
    type: "payment" | "refund" | "fee" | "adjustment" | "reversal" | "payout";
    /** `completed`, `held` until someone decides about it, or `reversed`. */
    status: string;
    /** The gateway where the money is. */
    gateway: string;
    /** The currency. */
    currency: string;
    /** Signed from the wallet's perspective: money that leaves it is negative. */
    amount_minor: number;
    /** Always 0: gateway fees are separate transactions. */
    fee_minor: number;
    /** The change in the wallet's balance, which is the sum of these. */
    net_minor: number;
    /** On an adjustment: the amount that completes a payment although it never arrived, because a lower amount was asked for or a reviewer accepted less. It doesn't enter the wallet, so `amount_minor` is 0. */
    forgiven_minor: number;
    /** The order. */
    order_id: string | null;
    /** The order's reference. */
    reference: string | null;
    /** The payment attempt. */
    payment_session_id: string | null;
    /** The transfer number at the gateway. */
    external_transaction_id: string | null;
    /** The transaction this one reverses. */
    reverses: string | null;
    /** A description. */
    description: string | null;
    /** The person or process that booked it. */
    created_by: string;
    /** When it was booked. */
    created_at: string;
  };
  /** The ledger's record of the money at one gateway in one currency. */
  Wallet: {
    /** The wallet's ID. */
    id: string;
    /** Always `wallet`. */
    object: "wallet";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The currency. */
    currency: string;
    /** The gateway where the money is. */
    gateway: string;
    /** Always `external`: the money is in the merchant's own account, and the wallet is a record of it. `platform` is reserved. */
    custody: "external" | "platform";
    /** The total balance. */
    balance_minor: number;
    /** The part that is booked to orders. */
    available_minor: number;
    /** The part that waits for a decision. */
    pending_minor: number;
    /** The amount of payments that was refunded. Refunds of held money don't count. */
    refunded_minor: number;
    /** When the first money arrived. */
    created_at: string;
    /** When it last changed. */
    updated_at: string;
  };
  /** Something that happened, as webhooks deliver it. */
  Event: {
    /** The event's ID; the same in every delivery. */
    id: string;
    /** Always `event`. Not part of what webhooks deliver. */
    object: "event";
    /** Its position in the project's sequence of events; null for a moment after it happened. Not part of what webhooks deliver. */
    sequence: number | null;
    /** Its name. */
    event: "order.paid" | "order.failed" | "order.payment_pending_verify" | "order.created" | "order.expired" | "order.verification_rejected" | "transaction.completed" | "payment.session.created" | "payment.session.failed" | "payment.exception" | "payment.reversed" | "refund.succeeded" | "refund.failed" | "dispute.opened" | "dispute.won" | "dispute.lost" | "email.queued" | "email.scheduled" | "email.sent" | "email.delivery_delayed" | "email.delivered" | "email.bounced" | "email.complained" | "email.failed" | "email.suppressed" | "email.canceled" | "email.opened" | "email.clicked" | "email.unsubscribed" | "email.received" | "sms.queued" | "sms.scheduled" | "sms.sent" | "sms.delivered" | "sms.undelivered" | "sms.failed" | "sms.canceled" | "sms.received" | "sms.opted_out" | "call.scheduled" | "call.queued" | "call.initiated" | "call.ringing" | "call.in_progress" | "call.gathered" | "call.recording_ready" | "call.completed" | "call.busy" | "call.no_answer" | "call.failed" | "call.canceled" | "verification.created" | "verification.sent" | "verification.approved" | "verification.failed" | "verification.expired" | "verification.canceled" | "domain.verified" | "domain.failed" | "number.approved" | "number.rejected" | "messaging.cap_warning" | "messaging.cap_reached" | "messaging.paused" | "messaging.released" | "suppression.created" | "suppression.deleted" | "webhook.test";
    /** When it happened. */
    created_at: string;
    /** True for test events; absent for all others. */
    test?: boolean;
    /** False in the TEST environment, and on test events. */
    livemode: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The objects the event is about, and `project_id`. */
    data: Record<string, unknown>;
  };
  /** Confirms that an object was deleted. */
  Deleted: {
    /** Its ID. */
    id: string;
    /** What kind of object it was. */
    object: string;
    /** Always true. */
    deleted: true;
  };
  /** An image. It's re-encoded without metadata; the uploaded bytes aren't stored. */
  Asset: {
    /** The asset's ID. */
    id: string;
    /** Always `asset`. */
    object: "asset";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The purpose. */
    purpose: "collection_qr" | "payment_proof" | "logo";
    /** The stored image's format. */
    content_type: "image/jpeg" | "image/png";
    /** The stored image's size in bytes. */
    size_bytes: number;
    /** The width in pixels. */
    width: number;
    /** The height in pixels. */
    height: number;
    /** The stored image's hash in hexadecimal. */
    sha256: string;
    /** Shows the image to anyone who has the address, for 15 minutes. */
    url: string;
    /** The QR code read from a `collection_qr`; null if none was read. */
    decoded: {
      /** The code's text, unchanged. */
      payload: string;
    } | null;
    /** All QR codes read from a `collection_qr`. A profile uses the one that receives money on its channel. */
    decoded_codes: {
      /** The code's text. */
      payload: string;
      /** `wechat` or `alipay`; null for any other code. */
      channel: string | null;
      /** The kind of code. `personal`, `business` and `fixed_amount` receive money. */
      kind: "personal" | "business" | "fixed_amount" | "order" | "red_packet" | "payment_code" | "other_page" | "other";
    }[];
    /** Why nothing was read: `no_code`, or `several_codes` with different contents. */
    decode_fault: string | null;
    /** When it was uploaded. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** A channel's personal receiving code, and how payments to it are told apart. */
  CollectionProfile: {
    /** The profile's ID. */
    id: string;
    /** Always `collection_profile`. */
    object: "collection_profile";
    /** The project. */
    project_id: string;
    /** The code's wallet. The gateway `wechatpay` uses the channel `wechat`. */
    channel: "wechat" | "alipay";
    /** False in the TEST environment. */
    livemode: boolean;
    /** Whether buyers are offered the channel. */
    enabled: boolean;
    /** The code's text, exactly as read; null if only an image is stored. */
    qr_payload: string | null;
    /** The kind of code: `personal`, `business` (WeChat Pay's or Alipay's code for small businesses: payments arrive in the business account, with its own statement and fees) or `fixed_amount`. Null if only an image is stored. */
    code_kind: string | null;
    /** The image the code was read from. */
    qr_asset_id: string | null;
    /** Shows that image. Works for 15 minutes. */
    qr_image_url: string | null;
    /** The name buyers see in their wallet. */
    payee_name: string | null;
    /** Instructions shown to buyers next to the code, by language. */
    instructions: Record<string, string>;
    /** How receipts are matched to payments. */
    matching: {
      /** How receipts are matched to payments. `exact`: a person decides. `remark`: the buyer enters a code in the transfer's note. `unique_amount`: each open payment is assigned a unique amount, slightly lower. */
      mode: "exact" | "remark" | "unique_amount";
      /** `unique_amount`: how much less can be asked for, in minor units. */
      max_offset_minor: number;
      /** `unique_amount`: refuse a payment if no amount is free, instead of leaving the matching to a person. */
      strict: boolean;
    };
    /** The account the code pays into. A merchant's projects that use the same code share it. */
    account_ref: string;
    /** Receipts that match one of these rules are set aside, unless they have a code or amount of one of your payments. */
    ignore_rules: {
      /** `type`: the wallet's transfer type contains the text. `payer`: the payer equals the text. `word`: type, payer or note contains the text. */
      field: "type" | "payer" | "word";
      /** The text to look for. Letter case and width are ignored. */
      text: string;
    }[];
    /** `unique_amount`: prices with at least 70% of their possible amounts in use, fullest first. */
    crowded_prices: {
      /** The price. */
      amount_minor: number;
      /** How many of the price's amounts are in use. */
      amounts_in_use: number;
      /** How many amounts can be asked for in place of the price. */
      amounts_total: number;
    }[];
    /** How many minutes a buyer has to pay. */
    session_minutes: number;
    /** The limits on what the code is used for. */
    limits: {
      /** The smallest amount this channel is offered for. */
      min_minor: number | null;
      /** The largest amount this channel is offered for. */
      max_minor: number | null;
      /** Payments that would exceed this total for the day, in Beijing time, aren't started. */
      daily_total_minor: number | null;
    };
    /** What to know about collecting with a personal code, by language. */
    notice: Record<string, string>;
    /** Increases by one with every change. */
    version: number;
    /** When the channel was first set up. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
    /** Who last changed it. */
    updated_by: string;
  };
  /** A payment method, and how it's set up in this project and environment. */
  Gateway: {
    /** Always `gateway`. */
    object: "gateway";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The gateway's name in this API. */
    slug: string;
    /** `personal_qr`: your own receiving code. `gateway`: a provider that confirms payments itself. */
    kind: "personal_qr" | "gateway";
    /** The name buyers see, by language. Always includes `en`. */
    names: Record<string, string>;
    /** The provider you have the account with, by language; null for personal codes. */
    provider_names: Record<string, string> | null;
    /** The collection profile with its code; null for other gateways. */
    channel: string | null;
    /** The currencies it accepts, as ISO 4217 codes; null for any. */
    currencies: string[] | null;
    /** Whether the project has set it up. */
    configured: boolean;
    /** Whether it can take payments. */
    enabled: boolean;
    /** How many accounts with the provider are set up; 0 for personal codes. */
    accounts: number;
    /** Whether its payments are simulated, because it only has a demo account. Only in TEST. */
    demo: boolean;
    /** The form for entering an account with the provider; null for personal codes. */
    credential_fields: {
      /** The field's name in `fields`. */
      name: string;
      /** Whether the field is secret and never shown again. */
      secret: boolean;
      /** Whether the field is required. */
      required: boolean;
      /** Whether the field takes several lines, such as a PEM key. */
      multiline: boolean;
      /** The field's label, by language. Always includes `en`. */
      names: Record<string, string>;
      /** Where to find the value, by language. Always includes `en`. */
      hints: Record<string, string>;
      /** The values that the field can have, the default first; null if it takes any text. */
      choices: {
        /** The value. */
        value: string;
        /** What people see, by language. Always includes `en`. */
        names: Record<string, string>;
      }[] | null;
    }[] | null;
    /** Where to enter an account's `webhook_url` at the provider. Null if the provider gets it with each payment, and for personal codes. Save the account first, then enter its address at the provider, then save the field that the provider gives you in return. */
    callback_entry: {
      /** The field of `credential_fields` that the provider gives you once you enter the address. */
      field: string;
      /** Where to enter it, by language. Always includes `en`. */
      hints: Record<string, string>;
    } | null;
    /** Its position on the payment page, starting at 1. Owners and admins change it with the project's setting `gateway_order`. */
    position: number;
  };
  /** An account with a payment provider. */
  GatewayCredential: {
    /** The account's ID. */
    id: string;
    /** Always `gateway_credential`. */
    object: "gateway_credential";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The gateway. */
    gateway: string;
    /** Whether the provider is simulated: payments are made on a page of this server, and no real money is involved. Only in TEST. */
    demo: boolean;
    /** Your own name for the account. */
    label: string | null;
    /** Whether new payments go to this account. Payments in progress and their callbacks continue either way. */
    enabled: boolean;
    /** Payments go to the enabled account with the lowest position that accepts them. */
    position: number;
    /** The account's share of payments among those in the same position. With 0, it only gets what the others don't accept. */
    weight: number;
    /** Payments outside these limits go to another account. */
    limits: {
      /** The smallest payment it accepts, in minor units of the payment's currency. */
      min_minor: number | null;
      /** The largest payment it accepts, in minor units of the payment's currency. */
      max_minor: number | null;
    };
    /** The currencies it accepts, as ISO 4217 codes; null for all that the gateway accepts. */
    currencies: string[] | null;
    /** The values entered, by field. Secret fields are never shown again. */
    fields: Record<string, {
      /** Whether the field is secret. */
      secret: boolean;
      /** The value entered; null for a secret. */
      value: string | null;
      /** The end of a secret; null for other fields, and for secrets too short to show any part of. */
      last4: string | null;
    }>;
    /** `checked`: the provider accepted these credentials. `failed`: it refused them, so no payments go to this account. `unchecked`: it hasn't been reached yet, or offers no way to check. */
    status: "unchecked" | "checked" | "failed";
    /** When the provider last confirmed the credentials. */
    checked_at: string | null;
    /** Why the last check didn't confirm the credentials; null if it did. */
    check_error: {
      /** The provider's code, or `timeout`, `connection`, `other_account`. */
      code: string;
      /** A message for people. */
      message: string;
    } | null;
    /** The provider's name for the account, once known. */
    account: string | null;
    /** The account holder's name, if the provider reports it. */
    account_name: string | null;
    /** The address the provider sends its callbacks to. */
    webhook_url: string;
    /** Until when callbacks signed with the previous fields are accepted; null if they aren't. */
    old_fields_until: string | null;
    /** When the provider last answered a call successfully; null if there's no record of one. Attempts are kept for 30 days. */
    last_success_at: string | null;
    /** How many requests have failed since the provider last responded. */
    consecutive_failures: number;
    /** The provider has stopped responding; no requests are sent until then. */
    paused_until: string | null;
    /** The daily comparison of its payments with the provider's own list; null before the first. */
    comparison: {
      /** `different`: there were differences; the exceptions show them. `failed`: the list couldn't be retrieved, and will be requested again. `unlisted`: the provider has no list. */
      status: "equal" | "different" | "failed" | "unlisted";
      /** When the comparison was last tried. */
      ran_at: string;
      /** The time up to which the provider's list has been compared. */
      compared_until: string | null;
      /** How many payments and refunds the provider listed for the newest day, including those made by other programs. */
      lines: number;
      /** How many differed, including payments that should have been listed by now. */
      differences: number;
      /** Why it failed. */
      error: {
        /** The provider's code, or `timeout`, `connection`, `breaker_open`. */
        code: string;
        /** A message for people. */
        message: string;
      } | null;
    } | null;
    /** Increases by one with every change. */
    version: number;
    /** When it was added. */
    created_at: string;
    /** Who added it. */
    created_by: string;
    /** When it was last updated. */
    updated_at: string;
    /** Who last changed it. */
    updated_by: string;
  };
  /** One call to a payment provider. Secrets, headers and bodies aren't stored. */
  GatewayAttempt: {
    /** The attempt's ID. */
    id: string;
    /** Always `gateway_attempt`. */
    object: "gateway_attempt";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The account it was made with. */
    credential_id: string;
    /** The gateway. */
    gateway: string;
    /** What was requested from the provider. */
    verb: "check" | "create" | "query" | "capture" | "close" | "refund" | "query_refund" | "list_settled" | "verify" | "identify";
    /** Our reference for the object it was about, such as a payment. */
    reference: string | null;
    /** The number of this attempt at one call, starting at 1. All have the same reference, so that nothing happens twice. */
    attempt: number;
    /** The outcome. `declined`, `invalid`, `conflict`, `not_found`, `already_paid`: the provider refused the request. `auth`: it refused the credentials. `rate_limited`, `unavailable`: it did nothing. `unknown_outcome`: there was no response, and the provider is queried for the result. */
    outcome: "succeeded" | "declined" | "not_found" | "conflict" | "already_paid" | "auth" | "rate_limited" | "invalid" | "unavailable" | "unknown_outcome";
    /** The provider's code, or `timeout`, `connection`, `malformed_answer`, `signature`, `fault`; null if it succeeded. */
    code: string | null;
    /** The provider's message; null if it succeeded. */
    message: string | null;
    /** The provider's request ID, for contacting its support. */
    provider_request_id: string | null;
    /** How long it took. */
    duration_ms: number;
    /** The requests it took, up to 10. */
    exchanges: {
      /** The method. */
      method: string;
      /** The host and path, without the query. */
      url: string;
      /** The response's status; null if there was none. */
      status: number | null;
      /** Why there was no complete response. */
      error_code: string | null;
      /** How long it took. */
      duration_ms: number;
      /** How many seconds the provider's clock was ahead of this server's; null if its response had no time. */
      clock_ahead_seconds: number | null;
    }[];
    /** The `Request-Id` of the request it was part of; null for background work. */
    request_id: string | null;
    /** When it ended. */
    created_at: string;
  };
  /** How a gateway account is set up, and what is wrong with it. */
  GatewaySetup: {
    /** Always `gateway_setup`. */
    object: "gateway_setup";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The gateway. */
    gateway: string;
    /** The account. */
    credential_id: string;
    /** The worst outcome among the findings. `ok`: it works. `unknown`: the next payment or callback will show. `attention`: payments work, but something could be better. `problem`: someone has to fix something. */
    outcome: "ok" | "unknown" | "attention" | "problem";
    /** Everything that was checked. */
    findings: {
      /** What was checked: the credentials, whether payments go to the account, whether the callback address can be reached, callbacks, the two clocks, the project's currency. */
      name: "credentials" | "payments" | "address" | "callbacks" | "clock" | "currency";
      /** `ok`: it works. `unknown`: the next payment or callback will show. `attention`: payments work, but something could be better. `problem`: someone has to fix something. */
      outcome: "ok" | "unknown" | "attention" | "problem";
      /** What was found. */
      reason: "accepted" | "refused" | "other_account" | "unreachable" | "not_checkable" | "not_checked" | "taking" | "paused" | "not_answering" | "failing" | "reached" | "public" | "private_address" | "no_https" | "received" | "unread" | "field_missing" | "none_yet" | "in_step" | "ahead" | "behind" | "not_measured" | "taken" | "not_taken";
      /** When it was found; for `not_answering`, until when no requests are sent to the provider. */
      at: string | null;
      /** The finding's details: the provider's message, the reason for a refusal, a field, a number of seconds. */
      values: Record<string, string | number>;
    }[];
    /** The smallest payment the account accepts, for trying it out; null in LIVE. */
    test_payment: {
      /** Its amount. */
      amount_minor: number;
      /** The currency. */
      currency: string;
    } | null;
    /** The address the provider sends its callbacks to. */
    webhook_url: string;
  };
  /** A refused request to a callback address. It changed nothing, and anyone could have sent it. Kept for 30 days, up to a thousand in the installation, with a share for each account. */
  RefusedCallback: {
    /** Its ID. */
    id: string;
    /** Always `refused_callback`. */
    object: "refused_callback";
    /** The project of the account it was for; null if there's no such account. */
    project_id: string | null;
    /** False in the TEST environment; null if there's no such account. */
    livemode: boolean | null;
    /** The gateway in its address. */
    gateway: string;
    /** The account it was for; null if there's no such account. */
    credential_id: string | null;
    /** `signature`: it isn't signed with this account's secret. `stale`: it was signed too long ago. `unknown_key`: its key or account isn't this one's. `malformed`: it isn't one of the provider's callbacks. `unsupported`: its kind of signature isn't supported. `nobody`: no account expects it, or it isn't about a payment of this account. */
    reason: "signature" | "stale" | "unknown_key" | "malformed" | "unsupported" | "nobody";
    /** The path it was sent to. */
    path: string;
    /** Its headers, without those used for authentication. */
    headers: Record<string, string>;
    /** The size of its body in bytes. */
    bytes: number;
    /** The start of its body. */
    body: string;
    /** Whether the body was longer. */
    truncated: boolean;
    /** When it was received. */
    received_at: string;
  };
  /** A record of money that arrived in a wallet. */
  Receipt: {
    /** The receipt's ID. */
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
    /** The amount received, in minor units. */
    amount_minor: number;
    /** When the money arrived. */
    occurred_at: string;
    /** The wallet's transfer number. */
    external_id: string | null;
    /** The transfer's note. */
    remark: string | null;
    /** What the wallet shows about the payer. */
    payer_hint: string | null;
    /** Who reported it. */
    source: "listener" | "statement" | "manual";
    /** `matched`: it was booked, as a payment or as the exception in `exception_id`. `linked`: it shows money that was already reported. `unmatched`: it waits for a decision and isn't booked. `ignored`: it isn't money for your orders. */
    status: "unmatched" | "matched" | "linked" | "ignored";
    /** The payment it belongs to; also null if that payment is another project's. */
    payment_session_id: string | null;
    /** The order its money paid, in full or in part. */
    order_id: string | null;
    /** That order's reference. */
    order_reference: string | null;
    /** The exception its money became, whether open or resolved. */
    exception_id: string | null;
    /** Whether that exception waits for a decision; null without one. */
    exception_status: "open" | "resolved" | null;
    /** Receipts with this ID were linked together to the same number of approved payments, without assigning each receipt to one order. */
    set_id: string | null;
    /** The account it arrived in. */
    account_ref: string;
    /** The wallet's own transfer type. */
    kind: string | null;
    /** Whether the money is final, according to the wallet. Receipts that aren't `final` never settle a payment. */
    state: "final" | "unfinished" | "refunded" | "partly_refunded";
    /** True if it belongs to a payment of another of the merchant's projects that shares the account. */
    elsewhere: boolean;
    /** Whether `unlink` undoes its outcome. False while it waits, and for money that paid an order or was decided on in its exception. */
    can_unlink: boolean;
    /** Why it was ignored or unlinked. */
    decision_reason: string | null;
    /** While it waits: the payments it may belong to, most likely first. */
    suggestions: {
      /** The order; null if it's another project's. */
      order_id: string | null;
      /** The order's reference. */
      order_reference: string | null;
      /** The payment; null if it's another project's. */
      payment_session_id: string | null;
      /** Why it fits: its code is in the note, it was approved with this amount and has no receipt, this amount was asked for, or this is the order's amount. */
      fits: "code" | "approved" | "payable" | "nominal";
      /** The amount asked for. */
      amount_minor: number;
      /** When this amount was asked for. */
      asked_at: string | null;
      /** True if it belongs to another of the merchant's projects that shares the account. */
      elsewhere: boolean;
    }[];
    /** The payments among `suggestions`. */
    suggested_session_ids?: string[];
    /** When it was recorded. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** The result of importing a statement. */
  ReceiptImport: {
    /** Always `receipt_import`. */
    object: "receipt_import";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The statement's wallet. */
    channel: "wechat" | "alipay";
    /** How many rows the file has. The next eight counts add up to this. */
    rows: number;
    /** Rows that pay an order. */
    settled: number;
    /** Rows with money that is already in the books. */
    linked: number;
    /** Rows that need a decision and have suggested payments. */
    suggested: number;
    /** Rows that become an exception: money with a code or amount of one of your payments that can't pay its order. */
    held: number;
    /** Rows that need a decision and match nothing. They aren't booked. */
    unmatched: number;
    /** Rows that aren't income, and rows that were already imported (`known`). */
    skipped: number;
    /** Rows that one of your ignore rules sets aside. */
    ignored: number;
    /** Rows that couldn't be read; `faults` lists them. */
    faulty: number;
    /** How many receipts were created. */
    created: number;
    /** Rows among `skipped` that were already imported. */
    known: number;
    /** How many rows the file says it has; null if it doesn't say. */
    declared_rows: number | null;
    /** Rows that couldn't be read. */
    faults: {
      /** The line in the file. */
      line: number;
      /** What is wrong. */
      code: "columns_unclear" | "number_missing" | "number_rounded" | "amount_invalid" | "time_invalid" | "time_out_of_range" | "amount_differs" | "currency_unsupported" | "repeated";
      /** A message for people. */
      message: string;
    }[];
    /** Refunds made in the wallet for orders that are paid here. Nothing is booked for them. */
    refunds: {
      /** The line in the file. */
      line: number;
      /** The order whose payment was refunded. */
      order_id: string;
      /** The receipt of that payment. */
      receipt_id: string;
      /** The amount refunded. */
      amount_minor: number;
    }[];
  };
  /** What importing a statement would do. Nothing has changed yet. */
  ReceiptImportPreview: {
    /** Always `receipt_import_preview`. */
    object: "receipt_import_preview";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The ID to apply it with. */
    preview_id: string;
    /** The file's hash. */
    file_sha256: string;
    /** The account the receipts will belong to. */
    account_ref: string;
    /** Until when it can be applied. */
    expires_at: string;
    /** True if it would settle or hold LIVE money, or if so much was requested at the time that a preview can't decide: only a signed-in reviewer can apply it. */
    needs_reviewer: boolean;
    /** The statement's wallet. */
    channel: "wechat" | "alipay";
    /** How many rows the file has. The next eight counts add up to this. */
    rows: number;
    /** Rows that pay an order. */
    settled: number;
    /** Rows with money that is already in the books. */
    linked: number;
    /** Rows that need a decision and have suggested payments. */
    suggested: number;
    /** Rows that become an exception: money with a code or amount of one of your payments that can't pay its order. */
    held: number;
    /** Rows that need a decision and match nothing. They aren't booked. */
    unmatched: number;
    /** Rows that aren't income, and rows that were already imported (`known`). */
    skipped: number;
    /** Rows that one of your ignore rules sets aside. */
    ignored: number;
    /** Rows that couldn't be read; `faults` lists them. */
    faulty: number;
    /** How many receipts were created. */
    created: number;
    /** Rows among `skipped` that were already imported. */
    known: number;
    /** How many rows the file says it has; null if it doesn't say. */
    declared_rows: number | null;
    /** Rows that couldn't be read. */
    faults: {
      /** The line in the file. */
      line: number;
      /** What is wrong. */
      code: "columns_unclear" | "number_missing" | "number_rounded" | "amount_invalid" | "time_invalid" | "time_out_of_range" | "amount_differs" | "currency_unsupported" | "repeated";
      /** A message for people. */
      message: string;
    }[];
    /** Refunds made in the wallet for orders that are paid here. Nothing is booked for them. */
    refunds: {
      /** The line in the file. */
      line: number;
      /** The order whose payment was refunded. */
      order_id: string;
      /** The receipt of that payment. */
      receipt_id: string;
      /** The amount refunded. */
      amount_minor: number;
    }[];
    /** The rows with income, in the file's order. A row's outcome can differ when the preview is applied, because it's matched again. */
    planned: {
      /** The line in the file. */
      line: number;
      /** What would happen to the row. */
      outcome: "settled" | "linked" | "suggested" | "held" | "unmatched" | "skipped" | "ignored";
      /** The amount received. */
      amount_minor: number;
      /** When the money arrived. */
      occurred_at: string;
      /** The wallet's transfer number. */
      external_id: string;
      /** What the wallet shows about the payer. */
      payer_hint: string | null;
      /** The transfer's note. */
      remark: string | null;
      /** The wallet's own transfer type. */
      kind: string | null;
      /** Whether the money is final. Rows that aren't `final` never settle a payment. */
      state: "final" | "unfinished" | "refunded" | "partly_refunded";
      /** The order it would pay or be held for, or most likely belongs to. */
      order_id: string | null;
      /** That order's reference. */
      order_reference: string | null;
      /** True if it concerns an order of another of the merchant's projects. */
      elsewhere: boolean;
      /** True if it was already imported. */
      known: boolean;
    }[];
  };
  /** The result of changing many receipts. If one is refused, the others still succeed. */
  ReceiptBulk: {
    /** Always `receipt_bulk`. */
    object: "receipt_bulk";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** How many receipts were changed. */
    done: number;
    /** How many receipts were not. */
    refused: number;
    /** One result per receipt, in the request's order. */
    results: {
      /** The receipt. */
      receipt_id: string;
      /** The receipt's current status; null if the change was refused. */
      status: string | null;
      /** Why it was refused. */
      error: {
        /** The error's code. */
        code: string;
        /** A message for people. */
        message: string;
        /** The reason, more specific than the code and just as stable. */
        reason?: string;
        /** The reason's details. */
        values?: Record<string, unknown>;
      } | null;
    }[];
  };
  /** One of your addresses that receives events. */
  Webhook: {
    /** The endpoint's ID. */
    id: string;
    /** Always `webhook`. */
    object: "webhook";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** Where events are sent. */
    url: string;
    /** The events it receives. */
    events: string[];
    /** Your own note. */
    description: string | null;
    /** Disabled endpoints receive nothing. */
    status: "enabled" | "disabled";
    /** Why it's disabled: `requested`, `failing` (five days without a success) or `gone` (it responded 410). */
    disabled_reason: string | null;
    /** Signs deliveries. Only shown when it's created. */
    secret: string | null;
    /** The end of the secret that signs `X-Service-Signature`. */
    secret_last4: string;
    /** During a roll, the end of the secret that takes over. */
    next_secret_last4: string | null;
    /** During a roll, when it takes over automatically. */
    next_secret_at: string | null;
    /** Until when the previous secret still signs `webhook-signature`; null if there's none. */
    old_secret_until: string | null;
    /** Version of the payloads. */
    api_version: string;
    /** How many attempts have failed since the last success. */
    consecutive_failures: number;
    /** When the first of them failed. */
    failing_since: string | null;
    /** When a delivery last succeeded, accurate to within seconds. */
    last_success_at: string | null;
    /** Too many attempts failed: nothing is sent until then, and no attempts are used up. */
    paused_until: string | null;
    /** How deliveries to the endpoint are doing. */
    deliveries: {
      /** Deliveries that are due or being sent, counted up to 10000. */
      waiting: number;
      /** How many of the newest 100 attempts have ended. */
      recent_attempts: number;
      /** The share of them that succeeded, from 0 to 1; null before the first. */
      recent_success_rate: number | null;
      /** The newest of them that failed; null if none did. */
      last_error: {
        /** The attempt. */
        attempt_id: string;
        /** What went wrong. */
        error_code: string;
        /** The response's status, if any. */
        response_status: number | null;
        /** When it was sent. */
        created_at: string;
      } | null;
    };
    /** Increases by one with every change to the endpoint itself. */
    version: number;
    /** When it was created. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** One attempt to deliver an event. */
  WebhookAttempt: {
    /** The attempt's ID. */
    id: string;
    /** Always `webhook_attempt`. */
    object: "webhook_attempt";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The endpoint. */
    webhook_id: string;
    /** The event; the same for all its attempts. */
    event_id: string;
    /** The event's name. */
    event: string;
    /** The number of this attempt to deliver the event to the endpoint, starting at 1. */
    attempt: number;
    /** Why the attempt was made. */
    trigger: "automatic" | "manual" | "replay" | "test";
    /** The outcome. */
    status: "started" | "succeeded" | "failed";
    /** What was sent. */
    request: {
      /** The address it was sent to, without query values. */
      url: string;
      /** The headers, without signatures. */
      headers: Record<string, string>;
      /** The body, byte for byte. */
      body: string;
    };
    /** The response, without cookies and signatures; null if there was none. */
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
    /** `timeout`, `dns`, `connect`, `connection_reset`, `invalid_response`, `truncated` (the response broke off), `tls`, `egress_blocked`, `http_error` (not a 2xx status) or `worker_lost` (our process ended before it noted the result; the event is sent again). */
    error_code: string | null;
    /** How long the request took. */
    duration_ms: number | null;
    /** When the next automatic attempt was due, as planned then. */
    next_attempt_at: string | null;
    /** When it was sent. */
    created_at: string;
  };
  /** One event's delivery to one webhook endpoint. */
  WebhookDelivery: {
    /** Always `webhook_delivery`. */
    object: "webhook_delivery";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The endpoint. */
    webhook_id: string;
    /** The event. */
    event_id: string;
    /** The endpoint's address, without query values. */
    url: string;
    /** `failed`: every retry was used up, or it was a test. `skipped`: the endpoint was disabled or no longer subscribed; `replay` sends it. */
    status: "waiting" | "sending" | "delivered" | "failed" | "skipped";
    /** How many times it was tried. */
    attempts: number;
    /** When the next attempt is due; null once there are no more. */
    next_attempt_at: string | null;
    /** The newest attempt; null before the first. */
    last_attempt: {
      /** The attempt. */
      id: string;
      /** The response's status, if any. */
      response_status: number | null;
      /** What went wrong; null after a success and while it's in progress. */
      error_code: string | null;
      /** When it was sent. */
      created_at: string;
    } | null;
    /** When the event was assigned to the endpoint. */
    created_at: string;
    /** When the delivery last changed. */
    updated_at: string;
  };
  /** The events scheduled to be sent again. */
  WebhookReplay: {
    /** Always `webhook_replay`. */
    object: "webhook_replay";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The endpoint. */
    webhook_id: string;
    /** The start of the period. */
    since: string;
    /** The end of the period; null for none. */
    until: string | null;
    /** How many events were scheduled. */
    scheduled: number;
    /** True if there are more events than one call schedules. Call again. */
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
    /** Signs callbacks. Only shown when you roll it. */
    secret: string | null;
    /** The end of the secret that signs `X-Service-Signature`; null before the first callback and the first roll. */
    secret_last4: string | null;
    /** During a roll, the end of the secret that takes over. */
    next_secret_last4: string | null;
    /** During a roll, when it takes over automatically. */
    next_secret_at: string | null;
    /** Until when the previous secret still signs `webhook-signature`; null if there's none. */
    old_secret_until: string | null;
    /** When the first secret was created. */
    created_at: string | null;
  };
  /** An email, with the status of each recipient's copy. */
  Email: {
    /** The message's ID. */
    id: string;
    /** Always `email`. */
    object: "email";
    /** The project it belongs to. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** With several recipients, the status of the recipient furthest from done. */
    status: "scheduled" | "queued" | "sending" | "delivery_delayed" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled";
    /** The latest event's name without `email.`. Opens and clicks only show here. */
    last_event: string | null;
    /** The sender, as you sent it. */
    from: string;
    /** The recipients, in the form you sent. */
    to: string | string[];
    /** Recipients of copies. */
    cc: string[];
    /** Hidden recipients. */
    bcc: string[];
    /** Where replies go. */
    reply_to: string[];
    /** The subject. */
    subject: string;
    /** The HTML. Only when retrieving one message, for 30 days. */
    html: string | null;
    /** The plain text. Only when retrieving one message, for 30 days. */
    text: string | null;
    /** Your own headers. Only when retrieving one message, for 30 days. */
    headers: Record<string, string> | null;
    /** The files' names and sizes. Only when retrieving one message, for 30 days. */
    attachments: {
      /** Its name. */
      filename: string;
      /** Its media type. */
      content_type: string | null;
      /** Its ID in the HTML. */
      content_id: string | null;
      /** Its size. */
      size_bytes: number;
    }[] | null;
    /** True if you retrieved one message and its body has been deleted. */
    body_expired: boolean;
    /** True for a system email whose text only its recipient may read, because its link grants access to an account. */
    body_withheld: boolean;
    /** The `Message-ID` header. */
    message_id: string;
    /** The kind of email. */
    category: "transactional" | "marketing";
    /** Each recipient's copy. */
    recipients: {
      /** The address. */
      address: string;
      /** The field it was in: to, cc or bcc. */
      type: "to" | "cc" | "bcc";
      /** This copy's status. */
      status: "scheduled" | "queued" | "sending" | "delivery_delayed" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled";
      /** How many times delivery was attempted. */
      attempts: number;
      /** When the next attempt is due; null if there is none. */
      next_attempt_at: string | null;
      /** The receiving server's last response. */
      smtp_code: number | null;
      /** Its enhanced status code, such as `5.1.1`. */
      enhanced_code: string | null;
      /** Its words. */
      diagnostic: string | null;
      /** Why it wasn't delivered. */
      bounce: {
        /** `permanent`, `transient` or `undetermined`. */
        type: string;
        /** The kind of failure: `no_email`, `mailbox_full`, `blocked` and so on. */
        subtype: string;
      } | null;
      /** When it was sent. */
      sent_at: string | null;
      /** When the recipient's server accepted it. */
      delivered_at: string | null;
    }[];
    /** How many times it was opened, not counting machines. */
    opens: number;
    /** How many times a link was clicked, not counting machines. */
    clicks: number;
    /** What is tracked. */
    tracking: {
      /** Opens are tracked. */
      opens: boolean;
      /** Clicks are tracked. */
      clicks: boolean;
    };
    /** Whether it has one-click unsubscribe. */
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
    /** The address that receives its events in addition to webhooks. */
    status_callback: string | null;
    /** The batch it was sent in. */
    batch_id: string | null;
    /** The transport that carried it: `outbox`, `relay`, `mx` or `simulator`. */
    provider: string | null;
    /** Why it wasn't delivered. */
    error: {
      /** The error code. */
      code: string;
      /** The error in plain words. */
      message: string;
      /** The carrier's error code. */
      provider_code: string | null;
    } | null;
    /** When it's scheduled to be sent. */
    scheduled_at: string | null;
    /** When Tillpost stops trying to deliver it. */
    expires_at: string;
    /** When the first copy was sent. */
    sent_at: string | null;
    /** When the first copy was delivered. */
    delivered_at: string | null;
    /** Increases by one with every change. */
    version: number;
    /** When it was accepted. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** One attempt to deliver one recipient's copy, with the other server's response. */
  EmailAttempt: {
    /** The attempt's ID. */
    id: string;
    /** Always `email_attempt`. */
    object: "email_attempt";
    /** The project. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** The message. */
    email_id: string;
    /** The recipient. */
    recipient: string;
    /** Counts from 1 for each recipient. */
    attempt: number;
    /** `accepted`, `deferred` (will be retried), `refused`, `unknown` (the connection was lost after the message was sent), `worker_lost` (our process died; it will be sent again) or `sending` while in progress. */
    result: "sending" | "accepted" | "deferred" | "refused" | "unknown" | "worker_lost";
    /** The transport that carried it. */
    provider: string | null;
    /** The server that responded. */
    remote: string | null;
    /** Its response code; null if there was none. */
    smtp_code: number | null;
    /** Its enhanced status code, such as `4.7.1`. */
    enhanced_code: string | null;
    /** Its response text, or why it couldn't be reached. */
    diagnostic: string | null;
    /** When it started. */
    created_at: string;
    /** When it ended. */
    finished_at: string | null;
  };
  /** An SMS, outbound or inbound. */
  Sms: {
    /** The message's ID. */
    id: string;
    /** Always `sms`. */
    object: "sms";
    /** The project it belongs to. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** `inbound`: received on one of the project's numbers. */
    direction: "outbound" | "inbound";
    /** The status. `sent`: a carrier accepted it. Some carriers never report more. */
    status: "scheduled" | "queued" | "sending" | "sent" | "delivered" | "undelivered" | "failed" | "canceled" | "received";
    /** The latest event's name without `sms.`. */
    last_event: string | null;
    /** The sender. */
    from: string;
    /** The recipient. */
    to: string;
    /** The other party's country (ISO 3166-1 alpha-2); `ZZ` if the number has none. */
    country: string;
    /** The text, as sent. Kept for 30 days, or until you delete it. */
    body: string | null;
    /** The encoding. One character outside GSM-7 makes the message UCS-2, which takes more parts. `binary` is only used for inbound messages. */
    encoding: "GSM-7" | "UCS-2" | "binary";
    /** How many parts it has and counts as. */
    segments: number;
    /** How many parts the carrier accepted. */
    segments_sent: number;
    /** What an inbound message asked for. On an outbound message: what it replies to. */
    keyword: "stop" | "start" | "help" | null;
    /** Its tags. */
    tags: {
      /** The name. */
      name: string;
      /** The value. */
      value: string;
    }[];
    /** Your own keys and values. */
    metadata: Record<string, string>;
    /** The address that receives its events in addition to webhooks. */
    status_callback: string | null;
    /** The batch it was sent in. */
    batch_id: string | null;
    /** The transport that carried it; `simulator` in TEST. */
    provider: string | null;
    /** The carrier's IDs for its parts. */
    provider_message_ids: string[];
    /** How many times sending was attempted. */
    attempts: number;
    /** When the next attempt is due; null if there is none. */
    next_attempt_at: string | null;
    /** Why it wasn't delivered. */
    error: {
      /** The error code. */
      code: string;
      /** The error in plain words. */
      message: string;
      /** The carrier's error code. */
      provider_code: string | null;
    } | null;
    /** When it's scheduled to be sent. */
    scheduled_at: string | null;
    /** When Tillpost stops trying to send it; null for inbound messages. */
    expires_at: string | null;
    /** When a carrier accepted it. */
    sent_at: string | null;
    /** When it was delivered, as reported by the carrier. */
    delivered_at: string | null;
    /** Increases by one with every change. */
    version: number;
    /** When it was accepted or received. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** One attempt to send a message to a carrier. */
  SmsAttempt: {
    /** The message's ID and the attempt's number. */
    id: string;
    /** Always `sms_attempt`. */
    object: "sms_attempt";
    /** The project. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** The message. */
    sms_id: string;
    /** Starts at 1. */
    attempt: number;
    /** The result; `started` while in progress. After `unknown` and `worker_lost`, the message may have been sent. */
    result: "started" | "accepted" | "deferred" | "refused" | "unknown" | "worker_lost";
    /** The carrier. */
    provider: string | null;
    /** An error code for programs. */
    code: string | null;
    /** The error in plain words. */
    message: string | null;
    /** The carrier's error code. */
    provider_code: string | null;
    /** Parts the carrier accepted. */
    segments_sent: number;
    /** When it started. */
    created_at: string;
    /** When it ended. */
    finished_at: string | null;
  };
  /** One part of an outbound message, with its text and the carrier's report. */
  SmsPart: {
    /** The message's ID and the part's number. */
    id: string;
    /** Always `sms_part`. */
    object: "sms_part";
    /** The project. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** The message. */
    sms_id: string;
    /** Starts at 1. */
    part: number;
    /** The part's text, as long as the message's text is kept. */
    text: string | null;
    /** Its length in GSM-7 septets or UCS-2 code units, as long as the message's text is kept. */
    units: number | null;
    /** How many of them fit. */
    units_per_part: number;
    /** Its distinct characters that aren't in GSM-7. */
    characters_beyond_gsm7: string[];
    /** The part's status. `sent`: the carrier accepted it. null: it wasn't accepted. */
    status: "sent" | "delivered" | "undelivered" | null;
    /** The transport that carried it. */
    provider: string | null;
    /** The carrier's ID for it. */
    provider_message_id: string | null;
    /** An error code for programs. */
    code: string | null;
    /** The carrier's error code. */
    provider_code: string | null;
    /** When a carrier accepted it. */
    sent_at: string | null;
    /** When the carrier reported on it. */
    reported_at: string | null;
  };
  /** A conversation between one of the project's numbers and a contact who has texted it. */
  SmsThread: {
    /** The contact's latest message. It changes with each new one. */
    id: string;
    /** Always `sms_thread`. */
    object: "sms_thread";
    /** The project it belongs to. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** The contact's number. */
    contact: string;
    /** The project's own number. */
    number: string;
    /** The contact's country (ISO 3166-1 alpha-2); `ZZ` if the number has none. */
    country: string;
    /** When the contact opted out of this number; null if they haven't. */
    opted_out_at: string | null;
    /** The latest message from either side. */
    last_message: Objects["Sms"];
    /** When the contact last sent a message. */
    received_at: string;
  };
  /** The encoding and parts a text needs, without sending it. */
  SmsEstimate: {
    /** Always `sms_estimate`. */
    object: "sms_estimate";
    /** The text, as it would be sent. */
    body: string;
    /** The encoding it would be sent in. */
    encoding: "GSM-7" | "UCS-2";
    /** How many parts it needs. */
    segments: number;
    /** How many parts are allowed: `max_segments`, or 10. */
    max_segments: number;
    /** Whether it would be accepted with this many parts. */
    fits: boolean;
    /** Its length in characters. */
    characters: number;
    /** Its length in GSM-7 septets or UCS-2 code units. */
    units: number;
    /** How many of them fit in each part. */
    units_per_segment: number;
    /** The distinct characters that aren't in GSM-7. */
    characters_beyond_gsm7: string[];
    /** The text of each part. */
    parts: string[];
  };
  /** Messages sent in one request. */
  Batch: {
    /** The batch's ID. */
    id: string;
    /** Always `batch`. */
    object: "batch";
    /** The project it belongs to. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** The messages' channel. */
    channel: "email" | "sms";
    /** How many messages the request had. */
    total: number;
    /** How many were accepted. */
    accepted: number;
    /** The accepted messages; only in the response to the batch request. Later, list messages by `batch_id`. */
    data?: {
      /** Position in the request, starting at 0. */
      index: number;
      /** The message's ID. */
      id: string;
      /** The status. */
      status: string;
    }[];
    /** Why the other messages weren't accepted; only with `X-Batch-Validation: permissive`, for 30 days. */
    errors: {
      /** Position in the request, starting at 0. */
      index: number;
      /** The invalid parameter. */
      param: string | null;
      /** The error code. */
      code: string;
      /** A message for people. */
      message: string;
      /** The reason, more specific than the code and just as stable. */
      reason?: string;
      /** The reason's details, such as `max`. */
      values?: Record<string, unknown>;
    }[];
    /** How many of its messages have each status. */
    statuses: Record<string, number>;
    /** When it was accepted. */
    created_at: string;
  };
  /** What was sent, compared with the quota of the merchant's tier. */
  Usage: {
    /** Always `usage`. */
    object: "usage";
    /** The project it belongs to. */
    project_id: string;
    /** False in TEST, which is counted separately. */
    livemode: boolean;
    /** The merchant's tier. Operators set it. */
    messaging_tier: "free" | "starter" | "pro" | "enterprise";
    /** The daily quota of emails. */
    emails: {
      /** Deliveries per day; an email to three recipients counts as three. */
      quota: number;
      /** How many were requested today. */
      used: number;
      /** How many are left today. */
      remaining: number;
      /** When the quota resets (UTC). */
      resets_at: string;
      /** The last 30 days, ending today. */
      days: {
        /** The day in UTC. */
        day: string;
        /** Deliveries requested on this day. */
        used: number;
      }[];
    };
    /** The daily quota of SMS. */
    sms: {
      /** Parts per day; an SMS of three parts counts as three. */
      quota: number;
      /** How many were requested today. */
      used: number;
      /** How many are left today. */
      remaining: number;
      /** When the quota resets (UTC). */
      resets_at: string;
      /** The last 30 days, ending today. */
      days: {
        /** The day in UTC. */
        day: string;
        /** Parts requested on this day. */
        used: number;
      }[];
    };
    /** The daily quota of calls. */
    calls: {
      /** Calls per day. */
      quota: number;
      /** How many were requested today. */
      used: number;
      /** How many are left today. */
      remaining: number;
      /** When the quota resets (UTC). */
      resets_at: string;
      /** The last 30 days, ending today. */
      days: {
        /** The day in UTC. */
        day: string;
        /** Calls requested on this day. */
        used: number;
      }[];
    };
    /** Whether sending is suspended in this environment. */
    sending: {
      /** Since when the operator has suspended the merchant's LIVE sending; null if it isn't suspended. TEST is never suspended. */
      suspended_at: string | null;
      /** Why sending is suspended. */
      reason: string | null;
      /** Messages on hold until the suspension is lifted, counted up to 10,000; 0 if sending isn't suspended. */
      waiting: number;
    };
    /** Rate limits for each key. */
    limits: {
      /** Single emails for each key, per minute. */
      emails_per_minute: number;
      /** Single SMS for each key, per minute. */
      sms_per_minute: number;
      /** Single calls with each key, per minute. */
      calls_per_minute: number;
      /** Requests to each GET endpoint for each key, per minute. */
      reads_per_minute: number;
      /** All other requests combined for each key, per minute. */
      general_per_minute: number;
      /** Email batches for each key, per hour. */
      batches_per_hour: number;
      /** SMS batches for each key, per hour. */
      sms_batches_per_hour: number;
      /** Changes of domains and suppressions for each key, per hour. */
      changes_per_hour: number;
      /** Concurrent requests for each key. */
      burst: number;
    };
  };
  /** A simulated recipient action, in TEST. */
  Inbound: {
    /** Always `inbound`. */
    object: "inbound";
    /** The project. */
    project_id: string;
    /** Always false. */
    livemode: boolean;
    /** What the recipient did. `message`: an inbound SMS. */
    type: "reply" | "complaint" | "bounce" | "unsubscribe" | "message";
    /** The email; null for an SMS. */
    email_id: string | null;
    /** The inbound SMS; null for actions on an email. */
    sms_id: string | null;
    /** Who did it. */
    recipient: string;
  };
  /** A domain you send email from. */
  Domain: {
    /** The domain's ID. */
    id: string;
    /** Always `domain`. */
    object: "domain";
    /** The project it belongs to. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** Its name, in lower case and ASCII. */
    name: string;
    /** You can send from a `verified` domain. `failed`: its records weren't found within three days. */
    status: "pending" | "verified" | "failed";
    /** The DNS records to publish. */
    records: {
      /** The record's type. */
      type: "TXT" | "CNAME";
      /** The record's full name. */
      name: string;
      /** The value to publish. */
      value: string;
      /** What the record is for. `verification` and `dkim` are required to send; the others improve delivery. */
      purpose: "verification" | "dkim" | "spf" | "dmarc" | "return_path" | "links";
      /** The result of the last check. `failed`: the record is missing or has another value. */
      status: "pending" | "verified" | "failed";
    }[];
    /** How many times its records were checked. */
    checks: number;
    /** When they were last checked. */
    checked_at: string | null;
    /** When they'll be checked next; null if only on request. */
    next_check_at: string | null;
    /** Since when a verified domain's records have been missing. */
    missing_since: string | null;
    /** When it was verified. */
    verified_at: string | null;
    /** When verification failed. */
    failed_at: string | null;
    /** Increases by one with every check. */
    version: number;
    /** When it was added. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** An address or number that nothing more is sent to. */
  Suppression: {
    /** The suppression's ID. */
    id: string;
    /** Always `suppression`. */
    object: "suppression";
    /** The project it belongs to. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** The channel it applies to. */
    channel: "email" | "sms" | "call";
    /** The email address in lower case, or the phone number. `+15551230000/acme` is a number that opted out of one sender. */
    address: string;
    /** The reason: a bounce, a complaint, an unsubscribe or opt-out, or added manually. */
    reason: "bounce" | "complaint" | "unsubscribe" | "manual";
    /** The message that caused it. */
    source_id: string | null;
    /** When it expires; null if it's permanent. */
    expires_at: string | null;
    /** When it was added. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** A number or sender name of a project. */
  ProjectNumber: {
    /** The number's ID. */
    id: string;
    /** Always `number`. */
    object: "number";
    /** The project that requested it. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** The number or name to send as `from` of a message or call. */
    value: string;
    /** A `number`, which includes short codes, can receive replies and belongs to one project. An `alphanumeric` sender name can't receive replies. */
    kind: "number" | "alphanumeric";
    /** The channels it can be used for. */
    channels: ("sms" | "call")[];
    /** The countries it can be used in (ISO 3166-1 alpha-2); null for all countries the project may reach. */
    countries: string[] | null;
    /** `approved` numbers can be used in LIVE. `rejected` includes revoked numbers. */
    status: "requested" | "approved" | "rejected";
    /** What the merchant told the operator. */
    purpose: string | null;
    /** Why it was rejected or revoked. */
    rejection_reason: string | null;
    /** When it was approved or rejected. */
    decided_at: string | null;
    /** Increases by one with every change. */
    version: number;
    /** When it was first requested. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** The limits on a project's LIVE SMS, calls and codes: countries, spending and quiet hours. */
  MessagingLimits: {
    /** Always `messaging_limits`. */
    object: "messaging_limits";
    /** The project. */
    project_id: string;
    /** The countries you allow; null for the merchant's own country. */
    countries: string[] | null;
    /** The countries you can reach now: those you allow and the operator doesn't deny. */
    reachable_countries: string[];
    /** The currency of the spending caps; null without a price table, when parts and minutes are capped instead. */
    currency: string | null;
    /** Your own caps, never higher than the operator's. */
    caps: {
      /** The daily spending cap (UTC), in millionths of the price table's currency. null if not set. */
      daily_spend_micros: number | null;
      /** The monthly spending cap, in millionths. null if not set. */
      monthly_spend_micros: number | null;
      /** SMS parts per day, if SMS have no prices. null if not set. */
      daily_segments: number | null;
      /** SMS parts per month. null if not set. */
      monthly_segments: number | null;
      /** Call minutes per day, rounded up per call, if calls have no prices. null if not set. */
      daily_minutes: number | null;
      /** Call minutes per month. null if not set. */
      monthly_minutes: number | null;
      /** Concurrent calls. null if not set. */
      calls_at_once: number | null;
    };
    /** The caps the operator set for this project instead of its tier's. */
    operator_caps: {
      /** The daily spending cap (UTC), in millionths of the price table's currency. null if not set. */
      daily_spend_micros: number | null;
      /** The monthly spending cap, in millionths. null if not set. */
      monthly_spend_micros: number | null;
      /** SMS parts per day, if SMS have no prices. null if not set. */
      daily_segments: number | null;
      /** SMS parts per month. null if not set. */
      monthly_segments: number | null;
      /** Call minutes per day, rounded up per call, if calls have no prices. null if not set. */
      daily_minutes: number | null;
      /** Call minutes per month. null if not set. */
      monthly_minutes: number | null;
      /** Concurrent calls. null if not set. */
      calls_at_once: number | null;
    };
    /** What applies. */
    effective_caps: {
      /** The daily spending cap (UTC), in millionths of the price table's currency. */
      daily_spend_micros: number;
      /** The monthly spending cap, in millionths. */
      monthly_spend_micros: number;
      /** SMS parts per day, if SMS have no prices. */
      daily_segments: number;
      /** SMS parts per month. */
      monthly_segments: number;
      /** Call minutes per day, rounded up per call, if calls have no prices. */
      daily_minutes: number;
      /** Call minutes per month. */
      monthly_minutes: number;
      /** Concurrent calls. */
      calls_at_once: number;
    };
    /** When messages and calls wait for the recipient's morning. */
    quiet_hours: {
      /** For SMS with the category `marketing`. Defaults to 21:00 to 08:00; null for none. */
      marketing: {
        /** When they begin, in the recipient's local time. */
        from: string;
        /** When they end. */
        to: string;
      } | null;
      /** For all other SMS except codes. None by default. */
      transactional: {
        /** When they begin, in the recipient's local time. */
        from: string;
        /** When they end. */
        to: string;
      } | null;
      /** For all calls except codes. None by default. */
      calls: {
        /** When they begin, in the recipient's local time. */
        from: string;
        /** When they end. */
        to: string;
      } | null;
    };
    /** How many messages and calls one number can get. Set by the operator. */
    recipient_pace: {
      /** A short window and a long one. */
      sms: {
        /** How many messages or calls one number can get */
        count: number;
        /** within this many seconds. */
        seconds: number;
      }[];
      /** A short window and a long one. */
      calls: {
        /** How many messages or calls one number can get */
        count: number;
        /** within this many seconds. */
        seconds: number;
      }[];
    };
    /** Increases by one with every change. */
    version: number;
    /** When it was last updated. */
    updated_at: string | null;
  };
  /** What a project spent on LIVE SMS and calls, compared with its caps. */
  MessagingSpend: {
    /** Always `messaging_spend`. */
    object: "messaging_spend";
    /** The project. */
    project_id: string;
    /** The currency of `spend_micros`; null without a price table. */
    currency: string | null;
    /** The measures: money where there are prices, parts and minutes where there are none. */
    measures: {
      /** Money in millionths, SMS parts, or call minutes. */
      measure: "spend_micros" | "segments" | "minutes";
      /** Today. */
      day: {
        /** How much is spent or reserved. */
        used: number;
        /** The cap. */
        cap: number;
        /** When the next period begins, in UTC. */
        resets_at: string;
      };
      /** This month. */
      month: {
        /** How much is spent or reserved. */
        used: number;
        /** The cap. */
        cap: number;
        /** When the next period begins, in UTC. */
        resets_at: string;
      };
      /** The last 30 days, ending today. */
      days: {
        /** The day in UTC. */
        day: string;
        /** How much was spent on this day. */
        used: number;
      }[];
    }[];
  };
  /** A paused range: a project's LIVE SMS or calls to these numbers are refused because the traffic looked like abuse. */
  MessagingPause: {
    /** The pause's ID. */
    id: string;
    /** Always `messaging_pause`. */
    object: "messaging_pause";
    /** What is paused: SMS or calls. */
    channel: "sms" | "call";
    /** The leading digits of the paused numbers, without the plus sign. */
    prefix: string;
    /** `sequential_numbers`: consecutive numbers. `no_conversions`: codes that are never entered. `dominant_prefix`: almost all traffic suddenly went to one foreign range. */
    cause: "sequential_numbers" | "dominant_prefix" | "no_conversions";
    /** The figures that led to the pause. */
    figures: {
      /** Recent messages or calls to the range. */
      messages: number;
      /** How many of them were verification codes. */
      codes: number;
      /** How many codes were entered. */
      approved: number;
      /** The range's share of all messages or calls, in percent. */
      share_percent: number;
      /** The share of consecutive numbers in the busiest block of a thousand, in percent. */
      sequential_percent: number;
    };
    /** While `active`, messages or calls to the range are refused. */
    status: "active" | "released";
    /** When it was paused. */
    paused_at: string;
    /** When it was released. */
    released_at: string | null;
    /** The project. */
    project_id: string;
  };
  /** A voice call. */
  Call: {
    /** The call's ID. */
    id: string;
    /** Always `call`. */
    object: "call";
    /** The project it belongs to. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** The status. */
    status: "scheduled" | "queued" | "initiated" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled";
    /** The latest event's name without `call.`. */
    last_event: string | null;
    /** Always `outbound`. */
    direction: "outbound";
    /** The caller ID. */
    from: string;
    /** The number called. */
    to: string;
    /** The country of `to` (ISO 3166); `ZZ` if it has none. */
    country: string;
    /** The text to speak, as requested. Kept for 30 days after the call ends, then null; so are the next four. */
    text: string | null;
    /** The audio file to play. */
    audio_url: string | null;
    /** The verbs, with defaults filled in. */
    actions: Record<string, unknown>[] | null;
    /** The address that is asked for actions. */
    answer_url: string | null;
    /** What is said if one of your addresses or audio files fails. */
    fallback_text: string | null;
    /** Keys sent as soon as the call is answered. */
    send_digits: string | null;
    /** What happened from the answer on, in order. Filled once the call has ended; deleted 30 days later. */
    steps: {
      /** When it happened. */
      at: string;
      /** What was done. `ask`: your server was asked what to do. */
      verb: "say" | "play" | "gather" | "record" | "dtmf" | "ask";
      /** `say`: the text spoken. */
      text: string | null;
      /** `play`, `ask`: the address. */
      url: string | null;
      /** `gather`: its name. */
      name: string | null;
      /** `gather`: the keys pressed. `dtmf`: the keys sent. */
      digits: string | null;
    }[];
    /** The voice. */
    voice: string | null;
    /** The language. */
    language: string | null;
    /** How fast texts are spoken; 1 is the voice's normal speed. */
    speed: number;
    /** How many seconds it may ring. */
    timeout: number;
    /** The call's maximum length in seconds. */
    time_limit: number;
    /** How the call is recorded; null if it isn't. */
    record: "mono" | "dual" | null;
    /** The SIP response code. */
    sip_code: number | null;
    /** Who ended the call: `caller` is your side, `limit` the time limit, `transport` a connection failure. */
    hangup_by: "caller" | "callee" | "limit" | "transport" | null;
    /** Who answered: `human` or `machine` if the carrier detects it, otherwise `unknown`; null if no one answered yet. */
    answered_by: string | null;
    /** The keys pressed for each `gather`, by its name. Empty once they're deleted. */
    gathered: Record<string, string>;
    /** The keys the callee pressed, in order. Kept for 30 days after the call ends, then empty. */
    digits: string;
    /** The seconds from the answer to the end, rounded up; null until the call ends, or if no one answered. */
    duration: number | null;
    /** How many seconds it rang. */
    ring_duration: number | null;
    /** Its tags. */
    tags: {
      /** The name. */
      name: string;
      /** The value. */
      value: string;
    }[];
    /** Your own keys and values. */
    metadata: Record<string, string>;
    /** The batch it was placed in. Always null, because calls can't be placed in batches. */
    batch_id: string | null;
    /** The address that receives its events in addition to webhooks. */
    status_callback: string | null;
    /** The transport that carried it, or was tried last: `simulator`, `sip:` and the trunk's name, or `http:` and the account's name. Only `sip` or `http`: none could be tried, or it wasn't recorded which. */
    provider: string | null;
    /** Why it wasn't delivered. */
    error: {
      /** The error code. */
      code: string;
      /** The error in plain words. */
      message: string;
      /** The carrier's error code. */
      provider_code: string | null;
    } | null;
    /** When it's scheduled to be placed. */
    scheduled_at: string | null;
    /** When Tillpost stops trying to place it. */
    expires_at: string;
    /** When it was dialed. */
    started_at: string | null;
    /** When it was answered. */
    answered_at: string | null;
    /** When it ended. */
    ended_at: string | null;
    /** When you asked to hang up. */
    hangup_requested_at: string | null;
    /** Increases by one whenever the status or the scheduled time changes. */
    version: number;
    /** When it was accepted. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** A recording: a WAV file in μ-law with 8,000 samples per second. */
  Recording: {
    /** The recording's ID. */
    id: string;
    /** Always `recording`. */
    object: "recording";
    /** The project. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** The call. */
    call_id: string;
    /** `call`: the whole call. `verb`: what a `record` verb recorded. */
    source: "call" | "verb";
    /** 1, or 2 with one channel per side, yours first. */
    channels: number;
    /** Its length in seconds. */
    duration: number;
    /** Its size. */
    size_bytes: number;
    /** When it's deleted, 30 days after it was made. */
    expires_at: string;
    /** When it was created. */
    created_at: string;
    /** A link that plays it. Works for 15 minutes, for anyone who has it. */
    url: string;
  };
  /** A check that someone can read messages to a number or an address. */
  Verification: {
    /** The verification's ID. */
    id: string;
    /** Always `verification`. */
    object: "verification";
    /** The project it belongs to. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** `pending` until the right code is checked, too many wrong ones are, it's canceled, or it expires. */
    status: "pending" | "approved" | "failed" | "expired" | "canceled";
    /** The latest event's name without `verification.`. */
    last_event: string | null;
    /** The number or the address. */
    to: string;
    /** The number's country (ISO 3166); `ZZ` if it has none. */
    country: string | null;
    /** The channels, in the order in which they are tried. */
    channels: ("sms" | "call" | "email")[];
    /** By which the code was sent last. */
    channel: "sms" | "call" | "email";
    /** The sender named in the request. */
    from: string | null;
    /** The requested language. */
    locale: string | null;
    /** What the code is for. */
    template: "code" | "sign_in" | "payment";
    /** The host named in the SMS. */
    origin: string | null;
    /** How many digits the code has. */
    code_length: number;
    /** How many checks are left of 5. */
    attempts_left: number;
    /** How many sends are left of 3. */
    sends_left: number;
    /** The messages that carried the code, oldest first. */
    sends: {
      /** The channel. */
      channel: "sms" | "call" | "email";
      /** The message: an SMS, a call or an email. Its text is never shown. */
      message_id: string;
      /** `start`, `resend` if you asked for it, or `fallback` if another channel failed. */
      cause: "start" | "resend" | "fallback";
      /** When it happened. */
      created_at: string;
    }[];
    /** When the next channel will be used. */
    fallback_at: string | null;
    /** Why it wasn't delivered. */
    error: {
      /** The error code. */
      code: string;
      /** The error in plain words. */
      message: string;
      /** The carrier's error code. */
      provider_code: string | null;
    } | null;
    /** Your own keys and values. */
    metadata: Record<string, string>;
    /** When the code expires. */
    expires_at: string;
    /** When it was approved, failed, expired or was canceled. */
    ended_at: string | null;
    /** Increases by one whenever the status changes. */
    version: number;
    /** When it started. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** Approved verifications by channel and country. */
  VerificationConversion: {
    /** Always `verification_conversion`. */
    object: "verification_conversion";
    /** The project. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** How many days the figures cover, up to now. */
    days: number;
    /** Up to 100 rows, those with the most verifications first. */
    data: {
      /** The channel that sent the code last. */
      channel: "sms" | "call" | "email";
      /** The numbers' country (ISO 3166); null for email addresses. */
      country: string | null;
      /** Verifications that have ended. */
      ended: number;
      /** How many of them were approved. */
      approved: number;
    }[];
  };
  /** A gateway's name. */
  GatewaySlug: "wechatpay" | "alipay" | "stripe" | "paypal" | "mollie" | "wechatpay_merchant" | "alipay_merchant" | "razorpay" | "btcpay";
  /** The name of a gateway that is a personal receiving code. */
  PersonalGatewaySlug: "wechatpay" | "alipay";
  /** The order as every event carries it. */
  EventOrder: {
    /** The order's ID. */
    id: string;
    /** Your own reference for the order. */
    reference: string;
    /** The order's status. */
    status: "unpaid" | "pending_verify" | "paid" | "failed" | "expired" | "canceled";
    /** The amount in minor units. */
    amount_minor: number;
    /** The currency. */
    currency: string;
    /** Your own keys and values. */
    metadata: Record<string, string>;
    /** When it was paid. */
    paid_at: string | null;
    /** Anything unusual about how it was paid. */
    flags: ("paid_late" | "underpaid" | "overpaid" | "manually_verified" | "auto_matched" | "duplicate_payment" | "payment_reversed" | "disputed")[];
    /** Increases by one with every change: of two events, the one with the higher version is newer. */
    version: number;
    /** Why it ended without payment, once it did: `expired`, `canceled` or `proof_rejected`. */
    failure_code?: string;
    /** When it ended without payment. */
    failed_at?: string;
  };
  /** A payment attempt as events carry it. */
  EventPaymentSession: {
    /** The session's ID. */
    id: string;
    /** The gateway it's paid through. */
    gateway: string;
    /** The payment method. */
    method: string;
    /** Its status. */
    status: string;
    /** The order's amount. */
    amount_minor: number;
    /** The amount the buyer is asked to send. */
    payable_amount_minor: number;
    /** The currency. */
    currency: string;
    /** Why it failed. */
    failure_code: string | null;
  };
  /** A buyer's proof of payment as events carry it. */
  EventVoucher: {
    /** The proof's ID. */
    id: string;
    /** Its status. */
    status: string;
    /** The transfer's number. */
    transaction_reference: string | null;
    /** The payer's name. */
    payer_name: string | null;
    /** Its image. */
    asset_id: string | null;
    /** What a reviewer should check. */
    risk_flags: string[];
    /** When it was submitted. */
    created_at: string;
  };
  /** An exception as events carry it. */
  EventPaymentException: {
    /** The exception's ID. */
    id: string;
    /** The kind of exception. */
    kind: string;
    /** `open` or `resolved`. */
    status: string;
    /** The gateway the money arrived through. */
    gateway: string;
    /** The amount. */
    amount_minor: number;
    /** The currency. */
    currency: string;
    /** The order it refers to. */
    order_id: string | null;
    /** The receipt that reported it. */
    receipt_id: string | null;
    /** What was detected. */
    detail: unknown;
    /** How it was resolved. */
    resolution: string | null;
  };
  /** A refund as events carry it. */
  EventRefund: {
    /** The refund's ID. */
    id: string;
    /** Its status. */
    status: string;
    /** `gateway`: the payment's provider paid it back. `manual`: someone paid it back and recorded it. */
    method: string;
    /** The gateway the money arrived through. */
    gateway: string;
    /** The amount. */
    amount_minor: number;
    /** The currency. */
    currency: string;
    /** The order. */
    order_id: string | null;
    /** The exception that held the money. */
    exception_id: string | null;
    /** The payment that was refunded. */
    payment_session_id: string | null;
    /** The reason. */
    reason: string | null;
    /** A note. */
    note: string | null;
    /** How it was paid back. */
    channel: string | null;
    /** When it was paid back. */
    paid_back_at: string | null;
    /** The transfer number of the repayment. */
    external_transaction_id: string | null;
    /** The provider's ID for it. */
    gateway_refund_id: string | null;
    /** Why it failed. */
    failure_code: string | null;
    /** The transaction that took the money out of the wallet. */
    transaction_id: string | null;
    /** When it was recorded. */
    created_at: string;
  };
  /** A dispute as events carry it. */
  EventDispute: {
    /** The dispute's ID. */
    id: string;
    /** The order; null for an unknown payment. */
    order_id: string | null;
    /** The payment that is disputed. */
    payment_session_id: string | null;
    /** The gateway it was paid through, and the wallet the money is taken from. */
    gateway: string;
    /** The provider's ID for it. */
    provider_dispute_id: string;
    /** `inquiry`: the bank or the provider is asking, and hasn't taken any money yet. `opened`: the provider has taken the money for now. `won`: the money was returned, or was never taken. `lost`: the money isn't returned. */
    status: "inquiry" | "opened" | "won" | "lost";
    /** The disputed amount in minor units. */
    amount_minor: number;
    /** The currency. */
    currency: string;
    /** The reason, in the provider's terms. */
    reason: string | null;
    /** Whether the payment's money is in the books, so that the dispute takes it out. If it isn't, an exception is opened for someone to decide. */
    in_books: boolean;
    /** The provider's fee for the dispute, if reported. */
    fee_minor: number | null;
    /** The fee's currency. If it differs from the dispute's, the fee isn't booked. */
    fee_currency: string | null;
    /** The transaction that took the money out of the wallet, as long as it's out. */
    transaction_id: string | null;
    /** The exception opened for it. */
    payment_exception_id: string | null;
    /** The provider's time for this status. */
    told_at: string;
    /** When it was first reported. */
    created_at: string;
  };
  /** An email as events carry it: without its body. */
  EventEmail: {
    /** The message's ID. */
    id: string;
    /** Always `email`. */
    object: "email";
    /** Its status after this event. */
    status: string;
    /** Sender. */
    from: string;
    /** The recipients, in the form you sent. */
    to: string | string[];
    /** Subject. */
    subject: string;
    /** The `Message-ID` header. */
    message_id: string;
    /** `transactional` or `marketing`. */
    category: string;
    /** Its tags. */
    tags: {
      /** Name. */
      name: string;
      /** Value. */
      value: string;
    }[];
    /** Your own keys and values. */
    metadata: Record<string, string>;
    /** The batch it was sent in. */
    batch_id: string | null;
    /** Why it wasn't delivered. */
    error: {
      /** The error code. */
      code: string;
      /** The error in plain words. */
      message: string;
      /** The carrier's error code. */
      provider_code: string | null;
    } | null;
    /** Each recipient's copy. */
    recipients: {
      /** Address. */
      address: string;
      /** The field it was in: to, cc or bcc. */
      type: "to" | "cc" | "bcc";
      /** The copy's status. */
      status: string;
    }[];
    /** When it was accepted. */
    created_at: string;
  };
  /** An SMS as events carry it: without its text. */
  EventSms: {
    /** The message's ID. */
    id: string;
    /** Always `sms`. */
    object: "sms";
    /** `inbound`: received on one of the project's numbers. */
    direction: "outbound" | "inbound";
    /** Its status after this event. */
    status: string;
    /** Sender. */
    from: string;
    /** Recipient. */
    to: string;
    /** The other party's country. */
    country: string;
    /** The encoding. */
    encoding: string;
    /** How many parts it has. */
    segments: number;
    /** How many parts the carrier accepted. */
    segments_sent: number;
    /** Its tags. */
    tags: {
      /** Name. */
      name: string;
      /** Value. */
      value: string;
    }[];
    /** Your own keys and values. */
    metadata: Record<string, string>;
    /** The batch it was sent in. */
    batch_id: string | null;
    /** Why it wasn't delivered. */
    error: {
      /** The error code. */
      code: string;
      /** The error in plain words. */
      message: string;
      /** The carrier's error code. */
      provider_code: string | null;
    } | null;
    /** When it was accepted or received. */
    created_at: string;
  };
  /** A call as events carry it: without its text and audio. */
  EventCall: {
    /** The call's ID. */
    id: string;
    /** Always `call`. */
    object: "call";
    /** Its status after this event. */
    status: string;
    /** Always `outbound`. */
    direction: "outbound";
    /** The caller ID. */
    from: string;
    /** The number called. */
    to: string;
    /** The country of `to`. */
    country: string;
    /** The seconds from the answer to the end. */
    duration: number | null;
    /** How many seconds it rang. */
    ring_duration: number | null;
    /** The SIP response code. */
    sip_code: number | null;
    /** Who ended the call. */
    hangup_by: string | null;
    /** Who answered: `human`, `machine` or `unknown`; null if no one answered yet. */
    answered_by: string | null;
    /** The keys pressed for each `gather`, by its name. Empty once they're deleted. */
    gathered: Record<string, string>;
    /** All keys pressed. Empty once they're deleted. */
    digits: string;
    /** Its tags. */
    tags: {
      /** The name. */
      name: string;
      /** The value. */
      value: string;
    }[];
    /** Your own keys and values. */
    metadata: Record<string, string>;
    /** Always null, because calls can't be placed in batches. */
    batch_id: string | null;
    /** Why it wasn't delivered. */
    error: {
      /** The error code. */
      code: string;
      /** The error in plain words. */
      message: string;
      /** The carrier's error code. */
      provider_code: string | null;
    } | null;
    /** When it was accepted. */
    created_at: string;
    /** When it was answered. */
    answered_at: string | null;
    /** When it ended. */
    ended_at: string | null;
  };
  /** A verification as events carry it: without its code. */
  EventVerification: {
    /** The verification's ID. */
    id: string;
    /** Always `verification`. */
    object: "verification";
    /** Its status after this event. */
    status: string;
    /** The number or the address. */
    to: string;
    /** The country of a number. */
    country: string | null;
    /** The channels, in the order they are used. */
    channels: string[];
    /** The channel that sent the code last. */
    channel: "sms" | "call" | "email";
    /** The requested language. */
    locale: string | null;
    /** What the code is for. */
    template: string;
    /** How many checks are left. */
    attempts_left: number;
    /** How many sends are left. */
    sends_left: number;
    /** The messages that carried the code, oldest first. */
    sends: {
      /** The channel. */
      channel: "sms" | "call" | "email";
      /** The message: an SMS, a call or an email. Its text is never shown. */
      message_id: string;
      /** `start`, `resend` if you asked for it, or `fallback` if another channel failed. */
      cause: "start" | "resend" | "fallback";
      /** When it happened. */
      created_at: string;
    }[];
    /** Why it wasn't delivered. */
    error: {
      /** The error code. */
      code: string;
      /** The error in plain words. */
      message: string;
      /** The carrier's error code. */
      provider_code: string | null;
    } | null;
    /** Your own keys and values. */
    metadata: Record<string, string>;
    /** When the code expires. */
    expires_at: string;
    /** When it started. */
    created_at: string;
  };
  /** An order was created. */
  OrderCreatedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `order.created`. */
    event: "order.created";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      order: Objects["EventOrder"];
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An order was paid. Sent once per order. */
  OrderPaidEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `order.paid`. */
    event: "order.paid";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      order: Objects["EventOrder"];
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An order ended without payment: it expired, was canceled, or its proof was rejected for good. */
  OrderFailedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `order.failed`. */
    event: "order.failed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      order: Objects["EventOrder"];
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An order expired before it was paid. `order.failed` is sent as well. */
  OrderExpiredEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `order.expired`. */
    event: "order.expired";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      order: Objects["EventOrder"];
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A buyer reported a payment. Someone needs to review it. */
  OrderPaymentPendingVerifyEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `order.payment_pending_verify`. */
    event: "order.payment_pending_verify";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      order: Objects["EventOrder"];
      payment_session: Objects["EventPaymentSession"];
      /** The proof, if there is one. */
      voucher: Objects["EventVoucher"] | null;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A reviewer rejected a payment. */
  OrderVerificationRejectedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `order.verification_rejected`. */
    event: "order.verification_rejected";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      order: Objects["EventOrder"];
      /** Why the payment was rejected. */
      reason_code: string;
      /** The reviewer's note. */
      note: string | null;
      /** The proof that was rejected. */
      voucher_id: string | null;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A buyer started a payment. */
  PaymentSessionCreatedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `payment.session.created`. */
    event: "payment.session.created";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      order: Objects["EventOrder"];
      payment_session: Objects["EventPaymentSession"];
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A payment attempt failed. The order can still be paid. */
  PaymentSessionFailedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `payment.session.failed`. */
    event: "payment.session.failed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      order: Objects["EventOrder"];
      payment_session: Objects["EventPaymentSession"];
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** Money arrived that doesn't match an open order, or a payment changed afterwards. Someone needs to decide. */
  PaymentExceptionEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `payment.exception`. */
    event: "payment.exception";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      order?: Objects["EventOrder"];
      payment_exception: Objects["EventPaymentException"];
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A payment that was booked by mistake was reversed. The order stays paid; if money arrives for it later, `transaction.completed` is sent. */
  PaymentReversedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `payment.reversed`. */
    event: "payment.reversed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      order: Objects["EventOrder"];
      /** The cause: the money never arrived, or was for another order. */
      cause: "not_received" | "other_order";
      /** The note of the person who reversed it. */
      note: string;
      /** The transfers that made up the order's payment. */
      payments: {
        /** The gateway it was booked for. */
        gateway: string;
        /** The transfer's number. */
        external_transaction_id: string;
        /** The amount. */
        amount_minor: number;
        /** The currency. */
        currency: string;
      }[];
      /** The exceptions that now hold the money that was for another order. */
      payment_exception_ids: string[];
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A buyer was refunded. */
  RefundSucceededEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `refund.succeeded`. */
    event: "refund.succeeded";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      refund: Objects["EventRefund"];
      /** The order, if known. */
      order: Objects["EventOrder"] | null;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A refund failed: the money was never sent, or came back. */
  RefundFailedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `refund.failed`. */
    event: "refund.failed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      refund: Objects["EventRefund"];
      /** The order, if known. */
      order: Objects["EventOrder"] | null;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A buyer disputes a payment, or their bank inquires about it. The dispute's `status` says whether the provider has taken the money; if it takes the money after an inquiry, this event is sent again. */
  DisputeOpenedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `dispute.opened`. */
    event: "dispute.opened";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      dispute: Objects["EventDispute"];
      /** The order, if known. */
      order: Objects["EventOrder"] | null;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A dispute ended in your favor: the money was returned, or was never taken. */
  DisputeWonEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `dispute.won`. */
    event: "dispute.won";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      dispute: Objects["EventDispute"];
      /** The order, if known. */
      order: Objects["EventOrder"] | null;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A dispute ended in the buyer's favor: the money isn't returned. */
  DisputeLostEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `dispute.lost`. */
    event: "dispute.lost";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      dispute: Objects["EventDispute"];
      /** The order, if known. */
      order: Objects["EventOrder"] | null;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** Money was booked in the ledger. */
  TransactionCompletedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `transaction.completed`. */
    event: "transaction.completed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      transaction: Objects["Transaction"];
      /** The order, if the money is for one. */
      order: Objects["EventOrder"] | null;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: queued. */
  EmailQueuedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.queued`. */
    event: "email.queued";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient, if the event is about one. */
      recipient?: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: scheduled. */
  EmailScheduledEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.scheduled`. */
    event: "email.scheduled";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient, if the event is about one. */
      recipient?: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: sent. */
  EmailSentEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.sent`. */
    event: "email.sent";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient, if the event is about one. */
      recipient?: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: delivered. */
  EmailDeliveredEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.delivered`. */
    event: "email.delivered";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient, if the event is about one. */
      recipient?: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: suppressed. */
  EmailSuppressedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.suppressed`. */
    event: "email.suppressed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient, if the event is about one. */
      recipient?: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: canceled. */
  EmailCanceledEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.canceled`. */
    event: "email.canceled";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient, if the event is about one. */
      recipient?: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: failed. */
  EmailFailedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.failed`. */
    event: "email.failed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient, if the event is about one. */
      recipient?: string;
      /** Why it wasn't delivered, or not yet. */
      bounce?: {
        /** `permanent`, `transient` or `undetermined`. */
        type: string;
        /** The kind of failure: `no_email`, `mailbox_full`, `blocked` and so on. */
        subtype: string;
        /** The recipient whose copy it is. */
        recipient: string | null;
        /** The server's code. */
        smtp_code: number | null;
        /** Its enhanced code. */
        enhanced_code: string | null;
        /** What the server said. */
        diagnostic: string | null;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: delivery delayed. */
  EmailDeliveryDelayedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.delivery_delayed`. */
    event: "email.delivery_delayed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient, if the event is about one. */
      recipient?: string;
      /** Why it wasn't delivered, or not yet. */
      bounce?: {
        /** `permanent`, `transient` or `undetermined`. */
        type: string;
        /** The kind of failure: `no_email`, `mailbox_full`, `blocked` and so on. */
        subtype: string;
        /** The recipient whose copy it is. */
        recipient: string | null;
        /** The server's code. */
        smtp_code: number | null;
        /** Its enhanced code. */
        enhanced_code: string | null;
        /** What the server said. */
        diagnostic: string | null;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: bounced. */
  EmailBouncedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.bounced`. */
    event: "email.bounced";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient, if the event is about one. */
      recipient?: string;
      /** Why it wasn't delivered, or not yet. */
      bounce?: {
        /** `permanent`, `transient` or `undetermined`. */
        type: string;
        /** The kind of failure: `no_email`, `mailbox_full`, `blocked` and so on. */
        subtype: string;
        /** The recipient whose copy it is. */
        recipient: string | null;
        /** The server's code. */
        smtp_code: number | null;
        /** Its enhanced code. */
        enhanced_code: string | null;
        /** What the server said. */
        diagnostic: string | null;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: complained. */
  EmailComplainedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.complained`. */
    event: "email.complained";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient, if the event is about one. */
      recipient?: string;
      /** Why it wasn't delivered, or not yet. */
      bounce?: {
        /** `permanent`, `transient` or `undetermined`. */
        type: string;
        /** The kind of failure: `no_email`, `mailbox_full`, `blocked` and so on. */
        subtype: string;
        /** The recipient whose copy it is. */
        recipient: string | null;
        /** The server's code. */
        smtp_code: number | null;
        /** Its enhanced code. */
        enhanced_code: string | null;
        /** What the server said. */
        diagnostic: string | null;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: unsubscribed. */
  EmailUnsubscribedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.unsubscribed`. */
    event: "email.unsubscribed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient the event is about. */
      recipient: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: opened. */
  EmailOpenedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.opened`. */
    event: "email.opened";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient the event is about. */
      recipient: string;
      /** How the email was opened. */
      open: {
        /** The IP address of the request. */
        ip: string | null;
        /** The user agent. */
        user_agent: string | null;
        /** True for scanners and mail apps that fetch automatically. Their events are sent, but not counted. */
        is_machine: boolean;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: clicked. */
  EmailClickedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.clicked`. */
    event: "email.clicked";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient the event is about. */
      recipient: string;
      /** The link that was clicked. */
      click: {
        /** The link's target. */
        url: string;
        /** The IP address of the request. */
        ip: string | null;
        /** The user agent. */
        user_agent: string | null;
        /** True for scanners and mail apps that fetch automatically. Their events are sent, but not counted. */
        is_machine: boolean;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An email's status or history changed: received. */
  EmailReceivedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `email.received`. */
    event: "email.received";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      email: Objects["EventEmail"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recipient the event is about. */
      recipient: string;
      /** The inbound email about it. */
      inbound: {
        /** The sender. */
        from: string;
        /** The recipient. */
        to: string;
        /** Subject. */
        subject: string;
        /** The text. */
        text: string;
        /** The `Message-ID` of the message it replies to. */
        in_reply_to: string;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An SMS's status changed: queued. */
  SmsQueuedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `sms.queued`. */
    event: "sms.queued";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      sms: Objects["EventSms"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An SMS's status changed: scheduled. */
  SmsScheduledEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `sms.scheduled`. */
    event: "sms.scheduled";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      sms: Objects["EventSms"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An SMS's status changed: sent. */
  SmsSentEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `sms.sent`. */
    event: "sms.sent";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      sms: Objects["EventSms"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An SMS's status changed: delivered. */
  SmsDeliveredEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `sms.delivered`. */
    event: "sms.delivered";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      sms: Objects["EventSms"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An SMS's status changed: undelivered. */
  SmsUndeliveredEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `sms.undelivered`. */
    event: "sms.undelivered";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      sms: Objects["EventSms"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An SMS's status changed: failed. */
  SmsFailedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `sms.failed`. */
    event: "sms.failed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      sms: Objects["EventSms"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An SMS's status changed: canceled. */
  SmsCanceledEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `sms.canceled`. */
    event: "sms.canceled";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      sms: Objects["EventSms"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** One of your numbers received an SMS. Its text is in `inbound`. */
  SmsReceivedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `sms.received`. */
    event: "sms.received";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      sms: Objects["EventSms"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The inbound message. */
      inbound: {
        /** The text; null once it has been deleted. */
        body: string | null;
        /** The keyword: what it asks for. */
        keyword: "stop" | "start" | "help" | null;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A recipient opted out of SMS from one of your senders. */
  SmsOptedOutEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `sms.opted_out`. */
    event: "sms.opted_out";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      sms: Objects["EventSms"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this message, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The inbound message. */
      inbound: {
        /** The text; null once it has been deleted. */
        body: string | null;
        /** The keyword: what it asks for. */
        keyword: "stop" | "start" | "help" | null;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A domain was verified; you can send email from it. */
  DomainVerifiedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `domain.verified`. */
    event: "domain.verified";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      /** A domain you send email from. */
      domain: {
        /** The domain's ID. */
        id: string;
        /** Always `domain`. */
        object: "domain";
        /** The domain. */
        name: string;
        /** Whether you can send from it. */
        status: "verified" | "failed";
        /** The DNS records, and whether each was found. */
        records: {
          /** The record's type. */
          type: "TXT" | "CNAME";
          /** The record's full name. */
          name: string;
          /** The value to publish. */
          value: string;
          /** What the record is for. `verification` and `dkim` are required to send; the others improve delivery. */
          purpose: "verification" | "dkim" | "spf" | "dmarc" | "return_path" | "links";
          /** The result of the last check. `failed`: the record is missing or has another value. */
          status: "pending" | "verified" | "failed";
        }[];
        /** When it was added. */
        created_at: string;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A domain's DNS records are missing; email from it is refused. */
  DomainFailedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `domain.failed`. */
    event: "domain.failed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      /** A domain you send email from. */
      domain: {
        /** The domain's ID. */
        id: string;
        /** Always `domain`. */
        object: "domain";
        /** The domain. */
        name: string;
        /** Whether you can send from it. */
        status: "verified" | "failed";
        /** The DNS records, and whether each was found. */
        records: {
          /** The record's type. */
          type: "TXT" | "CNAME";
          /** The record's full name. */
          name: string;
          /** The value to publish. */
          value: string;
          /** What the record is for. `verification` and `dkim` are required to send; the others improve delivery. */
          purpose: "verification" | "dkim" | "spf" | "dmarc" | "return_path" | "links";
          /** The result of the last check. `failed`: the record is missing or has another value. */
          status: "pending" | "verified" | "failed";
        }[];
        /** When it was added. */
        created_at: string;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A number or sender name was approved for LIVE, or its approved use changed. */
  NumberApprovedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `number.approved`. */
    event: "number.approved";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      /** A number or sender name. */
      number: {
        /** The number's ID. */
        id: string;
        /** Always `number`. */
        object: "number";
        /** The number or name. */
        value: string;
        /** Whether it can receive replies. */
        kind: "number" | "alphanumeric";
        /** The channels it can be used for. */
        channels: string[];
        /** The countries it can be used in; null for all countries the project may reach. */
        countries: string[] | null;
        /** The decision. */
        status: "approved" | "rejected";
        /** Why it was rejected or revoked. */
        rejection_reason: string | null;
        /** When it was first requested. */
        created_at: string;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A number or sender name was rejected or revoked; messages and calls from it are refused. */
  NumberRejectedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `number.rejected`. */
    event: "number.rejected";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      /** A number or sender name. */
      number: {
        /** The number's ID. */
        id: string;
        /** Always `number`. */
        object: "number";
        /** The number or name. */
        value: string;
        /** Whether it can receive replies. */
        kind: "number" | "alphanumeric";
        /** The channels it can be used for. */
        channels: string[];
        /** The countries it can be used in; null for all countries the project may reach. */
        countries: string[] | null;
        /** The decision. */
        status: "approved" | "rejected";
        /** Why it was rejected or revoked. */
        rejection_reason: string | null;
        /** When it was first requested. */
        created_at: string;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An address or number was suppressed; nothing more is sent to it. */
  SuppressionCreatedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `suppression.created`. */
    event: "suppression.created";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      /** An address or number that nothing more is sent to. */
      suppression: {
        /** The suppression's ID. */
        id: string;
        /** Always `suppression`. */
        object: "suppression";
        /** The channel it applies to. */
        channel: string;
        /** The address. */
        address: string;
        /** The reason. */
        reason: "bounce" | "complaint" | "unsubscribe" | "manual";
        /** The message that caused it. */
        source_id: string | null;
        /** When it expires. */
        expires_at: string | null;
        /** When it was added. */
        created_at: string;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A suppression was removed; messages to the address or number are sent again. */
  SuppressionDeletedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `suppression.deleted`. */
    event: "suppression.deleted";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      /** An address or number that nothing more is sent to. */
      suppression: {
        /** The suppression's ID. */
        id: string;
        /** Always `suppression`. */
        object: "suppression";
        /** The channel it applies to. */
        channel: string;
        /** The address. */
        address: string;
        /** The reason. */
        reason: "bounce" | "complaint" | "unsubscribe" | "manual";
        /** The message that caused it. */
        source_id: string | null;
        /** When it expires. */
        expires_at: string | null;
        /** When it was added. */
        created_at: string;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A call was scheduled. */
  CallScheduledEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `call.scheduled`. */
    event: "call.scheduled";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      call: Objects["EventCall"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this call, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A call was queued, right away or at its scheduled time. */
  CallQueuedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `call.queued`. */
    event: "call.queued";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      call: Objects["EventCall"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this call, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A call was dialed. */
  CallInitiatedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `call.initiated`. */
    event: "call.initiated";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      call: Objects["EventCall"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this call, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** The callee's phone is ringing. */
  CallRingingEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `call.ringing`. */
    event: "call.ringing";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      call: Objects["EventCall"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this call, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A call was answered. */
  CallInProgressEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `call.in_progress`. */
    event: "call.in_progress";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      call: Objects["EventCall"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this call, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** An answered call ended. */
  CallCompletedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `call.completed`. */
    event: "call.completed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      call: Objects["EventCall"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this call, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** The callee was busy. */
  CallBusyEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `call.busy`. */
    event: "call.busy";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      call: Objects["EventCall"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this call, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** No one answered in time. */
  CallNoAnswerEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `call.no_answer`. */
    event: "call.no_answer";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      call: Objects["EventCall"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this call, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A call couldn't be placed, or was lost. `error` says why. */
  CallFailedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `call.failed`. */
    event: "call.failed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      call: Objects["EventCall"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this call, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A call was hung up before anyone answered. */
  CallCanceledEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `call.canceled`. */
    event: "call.canceled";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      call: Objects["EventCall"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this call, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A `gather` ended; the event has the keys pressed. */
  CallGatheredEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `call.gathered`. */
    event: "call.gathered";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      call: Objects["EventCall"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this call, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The keys pressed. */
      gathered: {
        /** The gather's name. */
        name: string;
        /** The keys pressed; empty if none, null once they're deleted. */
        digits: string | null;
        /** How many times it asked. */
        attempts: number;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A recording of a call is ready to play. */
  CallRecordingReadyEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `call.recording_ready`. */
    event: "call.recording_ready";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      call: Objects["EventCall"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this call, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The recording. Get its link from the API. */
      recording: {
        /** The recording's ID. */
        id: string;
        /** Always `recording`. */
        object: "recording";
        /** The project. */
        project_id: string;
        /** False in TEST. */
        livemode: boolean;
        /** The call. */
        call_id: string;
        /** `call`: the whole call. `verb`: what a `record` verb recorded. */
        source: "call" | "verb";
        /** 1, or 2 with one channel per side, yours first. */
        channels: number;
        /** Its length in seconds. */
        duration: number;
        /** Its size. */
        size_bytes: number;
        /** When it's deleted, 30 days after it was made. */
        expires_at: string;
        /** When it was created. */
        created_at: string;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A verification was started. */
  VerificationCreatedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `verification.created`. */
    event: "verification.created";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      verification: Objects["EventVerification"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this verification, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A verification's code was sent, as the last entry of `sends`. */
  VerificationSentEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `verification.sent`. */
    event: "verification.sent";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      verification: Objects["EventVerification"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this verification, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** The right code was checked. */
  VerificationApprovedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `verification.approved`. */
    event: "verification.approved";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      verification: Objects["EventVerification"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this verification, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** Too many wrong codes were checked. */
  VerificationFailedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `verification.failed`. */
    event: "verification.failed";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      verification: Objects["EventVerification"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this verification, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A verification expired. */
  VerificationExpiredEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `verification.expired`. */
    event: "verification.expired";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      verification: Objects["EventVerification"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this verification, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A verification was canceled. */
  VerificationCanceledEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `verification.canceled`. */
    event: "verification.canceled";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      verification: Objects["EventVerification"];
      /** Its status before this event. */
      previous_status: string | null;
      /** The event's number for this verification, starting at 1. */
      sequence: number;
      /** When it happened. */
      occurred_at: string;
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A project has used 80 percent of a daily or monthly cap on LIVE SMS and calls. */
  MessagingCapWarningEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `messaging.cap_warning`. */
    event: "messaging.cap_warning";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      /** One of the project's caps. */
      cap: {
        /** Money in millionths, SMS parts, or call minutes. */
        measure: "spend_micros" | "segments" | "minutes";
        /** The day or the month in UTC. */
        period: string;
        /** The cap. */
        cap: number;
        /** The currency of spending; null without a price table. */
        currency: string | null;
        /** The percentage that was reached. */
        percent: number;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A project has reached a daily or monthly cap on LIVE SMS and calls; messages and calls that would exceed it are refused. */
  MessagingCapReachedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `messaging.cap_reached`. */
    event: "messaging.cap_reached";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      /** One of the project's caps. */
      cap: {
        /** Money in millionths, SMS parts, or call minutes. */
        measure: "spend_micros" | "segments" | "minutes";
        /** The day or the month in UTC. */
        period: string;
        /** The cap. */
        cap: number;
        /** The currency of spending; null without a price table. */
        currency: string | null;
        /** The percentage that was reached. */
        percent: number;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A range of numbers was paused: LIVE SMS or calls to it are refused because the traffic looked like abuse. */
  MessagingPausedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `messaging.paused`. */
    event: "messaging.paused";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      /** The pause. */
      pause: {
        /** The pause's ID. */
        id: string;
        /** Always `messaging_pause`. */
        object: "messaging_pause";
        /** What is paused: SMS or calls. */
        channel: "sms" | "call";
        /** The leading digits of the paused numbers, without the plus sign. */
        prefix: string;
        /** `sequential_numbers`: consecutive numbers. `no_conversions`: codes that are never entered. `dominant_prefix`: almost all traffic suddenly went to one foreign range. */
        cause: "sequential_numbers" | "dominant_prefix" | "no_conversions";
        /** The figures that led to the pause. */
        figures: {
          /** Recent messages or calls to the range. */
          messages: number;
          /** How many of them were verification codes. */
          codes: number;
          /** How many codes were entered. */
          approved: number;
          /** The range's share of all messages or calls, in percent. */
          share_percent: number;
          /** The share of consecutive numbers in the busiest block of a thousand, in percent. */
          sequential_percent: number;
        };
        /** While `active`, messages or calls to the range are refused. */
        status: "active" | "released";
        /** When it was paused. */
        paused_at: string;
        /** When it was released. */
        released_at: string | null;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A paused range of numbers was released. */
  MessagingReleasedEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `messaging.released`. */
    event: "messaging.released";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      /** The pause. */
      pause: {
        /** The pause's ID. */
        id: string;
        /** Always `messaging_pause`. */
        object: "messaging_pause";
        /** What is paused: SMS or calls. */
        channel: "sms" | "call";
        /** The leading digits of the paused numbers, without the plus sign. */
        prefix: string;
        /** `sequential_numbers`: consecutive numbers. `no_conversions`: codes that are never entered. `dominant_prefix`: almost all traffic suddenly went to one foreign range. */
        cause: "sequential_numbers" | "dominant_prefix" | "no_conversions";
        /** The figures that led to the pause. */
        figures: {
          /** Recent messages or calls to the range. */
          messages: number;
          /** How many of them were verification codes. */
          codes: number;
          /** How many codes were entered. */
          approved: number;
          /** The range's share of all messages or calls, in percent. */
          share_percent: number;
          /** The share of consecutive numbers in the busiest block of a thousand, in percent. */
          sequential_percent: number;
        };
        /** While `active`, messages or calls to the range are refused. */
        status: "active" | "released";
        /** When it was paused. */
        paused_at: string;
        /** When it was released. */
        released_at: string | null;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** A test event for this endpoint. */
  WebhookTestEvent: {
    /** The event's ID; the same in every delivery. Store it so that you process each event once. */
    id: string;
    /** Always `webhook.test`. */
    event: "webhook.test";
    /** When it happened. */
    created_at: string;
    /** False in TEST. */
    livemode: boolean;
    /** True for test deliveries; absent for all others. */
    test?: boolean;
    /** Version of the payload. */
    api_version: string;
    /** The warning's code. */
    data: {
      /** The endpoint being tested. */
      webhook: {
        /** The endpoint's ID. */
        id: string;
      };
      /** The project it happened in. */
      project_id: string;
    };
  };
  /** The body of a delivery. `event` determines its type. */
  WebhookEvent: Objects["OrderCreatedEvent"] | Objects["OrderPaidEvent"] | Objects["OrderFailedEvent"] | Objects["OrderExpiredEvent"] | Objects["OrderPaymentPendingVerifyEvent"] | Objects["OrderVerificationRejectedEvent"] | Objects["PaymentSessionCreatedEvent"] | Objects["PaymentSessionFailedEvent"] | Objects["PaymentExceptionEvent"] | Objects["PaymentReversedEvent"] | Objects["RefundSucceededEvent"] | Objects["RefundFailedEvent"] | Objects["DisputeOpenedEvent"] | Objects["DisputeWonEvent"] | Objects["DisputeLostEvent"] | Objects["TransactionCompletedEvent"] | Objects["EmailQueuedEvent"] | Objects["EmailScheduledEvent"] | Objects["EmailSentEvent"] | Objects["EmailDeliveredEvent"] | Objects["EmailSuppressedEvent"] | Objects["EmailCanceledEvent"] | Objects["EmailFailedEvent"] | Objects["EmailDeliveryDelayedEvent"] | Objects["EmailBouncedEvent"] | Objects["EmailComplainedEvent"] | Objects["EmailUnsubscribedEvent"] | Objects["EmailOpenedEvent"] | Objects["EmailClickedEvent"] | Objects["EmailReceivedEvent"] | Objects["SmsQueuedEvent"] | Objects["SmsScheduledEvent"] | Objects["SmsSentEvent"] | Objects["SmsDeliveredEvent"] | Objects["SmsUndeliveredEvent"] | Objects["SmsFailedEvent"] | Objects["SmsCanceledEvent"] | Objects["SmsReceivedEvent"] | Objects["SmsOptedOutEvent"] | Objects["DomainVerifiedEvent"] | Objects["DomainFailedEvent"] | Objects["NumberApprovedEvent"] | Objects["NumberRejectedEvent"] | Objects["SuppressionCreatedEvent"] | Objects["SuppressionDeletedEvent"] | Objects["CallScheduledEvent"] | Objects["CallQueuedEvent"] | Objects["CallInitiatedEvent"] | Objects["CallRingingEvent"] | Objects["CallInProgressEvent"] | Objects["CallCompletedEvent"] | Objects["CallBusyEvent"] | Objects["CallNoAnswerEvent"] | Objects["CallFailedEvent"] | Objects["CallCanceledEvent"] | Objects["CallGatheredEvent"] | Objects["CallRecordingReadyEvent"] | Objects["VerificationCreatedEvent"] | Objects["VerificationSentEvent"] | Objects["VerificationApprovedEvent"] | Objects["VerificationFailedEvent"] | Objects["VerificationExpiredEvent"] | Objects["VerificationCanceledEvent"] | Objects["MessagingCapWarningEvent"] | Objects["MessagingCapReachedEvent"] | Objects["MessagingPausedEvent"] | Objects["MessagingReleasedEvent"] | Objects["WebhookTestEvent"];
  UpdateMerchantRequest: {
    /** The name people see. */
    display_name?: string;
    /** The country's ISO 3166 code. */
    country?: string | null;
    /** Whether all members need two-step sign-in or a passkey. The person who turns this on must have one. */
    second_step_required?: boolean;
    /** How much less than the amount due a reviewer can accept without confirming it, in hundredths of a percent. Defaults to 100 (1%). */
    shortfall_tolerance_bps?: number;
  };
  UpdateMemberRequest: {
    /** Their new role. */
    role: "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";
  };
  InviteMemberRequest: {
    /** The address to invite. */
    email: string;
    /** The role they will have. */
    role: "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";
    /** The email's language. Defaults to yours. */
    language?: "en" | "zh";
  };
  CreateProjectRequest: {
    /** The project's name. */
    name: string;
    /** A short name, unique within the merchant. */
    slug?: string;
    /** The usual currency of this project's new orders. */
    default_currency: string;
  };
  UpdateProjectRequest: {
    /** The project's name. */
    name?: string;
    /** A short name, unique within the merchant. */
    slug?: string;
    /** The usual currency of this project's new orders. */
    default_currency?: string;
    /** Replaces all settings. */
    settings?: {
      /** How the payment page looks. */
      branding?: {
        /** The name buyers see. */
        display_name?: string;
        /** The accent color of the payment page. */
        color?: string;
        /** An image uploaded as `logo`. */
        logo_asset_id?: string;
        /** Where buyers can get help. */
        support_email?: string;
      };
      /** Sends a receipt to buyers who gave an email address when their LIVE order is paid. */
      buyer_receipts?: boolean;
      /** The IANA time zone of the project's days, for figures, local times in exports and the dashboard. Defaults to `Asia/Shanghai` for projects in CNY and `UTC` for others; without it, the dashboard shows the reader's own time. */
      time_zone?: string;
      /** Gateways in the order in which buyers see them on the payment page, in both environments. Those that aren't listed follow in their usual order. Defaults to the usual order. */
      gateway_order?: Objects["GatewaySlug"][];
    };
  };
  SetActiveProjectRequest: {
    /** A project of a merchant you belong to. */
    project_id: string;
  };
  SetActiveEnvironmentRequest: {
    /** The environment that paths without a project use from now on. */
    environment: "TEST" | "LIVE";
  };
  CreateApiKeyRequest: {
    /** What the key is for. */
    name: string;
    /** The key's permissions, at most your own: `orders:read`, `orders:write`, `payments:read`, `payments:write`, `webhooks:read`, `webhooks:write`, `emails:read`, `emails:write`, `sms:read`, `sms:write`, `domains:read`, `domains:write`, `suppressions:read`, `suppressions:write`, `collection_profiles:write`, `reviews:write`, `refunds:write`, `receipts:write`. */
    permissions: string[];
    /** The environment it works in. Defaults to the request's environment. */
    environment?: "test" | "live";
    /** The addresses and CIDR ranges the key can be used from. Empty: from anywhere. */
    allowed_ips?: string[];
    /** The account whose incoming transfers it reports, as channel and account. Required for LIVE keys with `receipts:write`. */
    receiving_account?: string | null;
    /** When it expires. */
    expires_at?: string | null;
  };
  UpdateApiKeyRequest: {
    /** What the key is for. */
    name?: string;
    /** The key's permissions, at most your own. */
    permissions?: string[];
    /** The addresses and CIDR ranges the key can be used from. Empty: from anywhere. */
    allowed_ips?: string[];
    /** The account whose incoming transfers it reports, as channel and account. Required for LIVE keys with `receipts:write`. */
    receiving_account?: string | null;
    /** When it expires; null for never. */
    expires_at?: string | null;
  };
  RotateApiKeyRequest: {
    /** How many seconds the old key keeps working, up to seven days. By default, it stops working immediately. */
    expire_old_in_seconds?: number;
  };
  CreateOrderRequest: {
    /** The amount in the currency's minor units: 9900 is 99.00 CNY. */
    amount_minor: number;
    /** ISO 4217 code. Lowercase is accepted. */
    currency: string;
    /** Your own reference for the order, unique among open and paid orders. */
    reference?: string;
    /** What the buyer sees next to the amount. */
    description?: string | null;
    /** Up to 50 keys of up to 40 characters, with values of up to 500 characters, 16 KB in total. */
    metadata?: Record<string, string>;
    /** The buyer. */
    customer?: {
      /** Name. */
      name?: string | null;
      /** Email address. */
      email?: string | null;
      /** Phone number. */
      phone?: string | null;
    };
    /** Where the page sends the buyer after payment: https, or http on localhost in TEST. */
    return_url?: string | null;
    /** The page's language: `auto`, or one of `en`, `zh`, also with a region as in `zh-CN`. */
    locale?: string;
    /** How many seconds until the order expires. Defaults to one day. */
    expires_in?: number;
  };
  UpdateOrderRequest: {
    /** What the buyer sees next to the amount. */
    description?: string | null;
    /** Up to 50 keys of up to 40 characters, with values of up to 500 characters, 16 KB in total. */
    metadata?: Record<string, string>;
    /** The buyer. */
    customer?: {
      /** Name. */
      name?: string | null;
      /** Email address. */
      email?: string | null;
      /** Phone number. */
      phone?: string | null;
    };
  };
  IssuePaymentLinkRequest: {
    /** How many seconds from now until the order expires. */
    expires_in?: number;
  };
  ReviewOrderRequest: {
    /** Whether the money arrived. */
    decision: "approve" | "reject";
    /** The reported payment that you looked at. If another one waits by then, the decision is refused with `order_state_conflict` and the reason `payment_changed`. */
    payment_session_id?: string;
    /** The proof that you looked at, or null if there was none. Refused in the same way if another one waits. */
    voucher_id?: string | null;
    /** Which receiving code the money went to. Required if the order's payment was never started; refused if it was started with another. */
    gateway?: Objects["PersonalGatewaySlug"];
    /** The amount that arrived, if it isn't the amount asked for. Any amount from the payable amount to the order's amount counts as paid in full. */
    received_amount_minor?: number;
    /** The exact missing amount, to accept less than the payable amount as full payment. The order stays flagged `underpaid`. */
    confirm_shortfall_minor?: number;
    /** The exact excess amount, if more than the order's amount arrived. The excess becomes an exception. */
    confirm_excess_minor?: number;
    /** The transfer number, so that the same transfer in a statement isn't counted again. */
    external_transaction_id?: string;
    /** When the money was sent: up to 5 minutes from now and up to 400 days ago. */
    paid_at?: string;
    /** Why it's rejected. The buyer sees this. */
    reason_code?: "not_received" | "amount_mismatch" | "duplicate_proof" | "unreadable" | "fraud";
    /** `true` ends the order instead of returning it to the buyer. */
    final?: boolean;
    /** A note to the buyer. */
    note?: string | null;
  };
  CancelOrderRequest: Record<string, unknown>;
  DismissClaimRequest: {
    /** The reason, for the record. */
    reason: string;
  };
  SimulatePaymentRequest: {
    /** What happens. Defaults to `paid`. */
    outcome?: "paid" | "failed" | "pending_verify" | "underpaid" | "overpaid" | "late" | "duplicate_callback" | "expire";
    /** The amount that arrives. */
    amount_minor?: number;
  };
  StartPaymentRequest: {
    /** The payment method: a receiving code or a gateway. */
    gateway: Objects["GatewaySlug"];
  };
  CreateRefundRequest: {
    /** The amount to refund. Defaults to everything that can still be refunded. */
    amount_minor?: number;
    /** `gateway`: the payment's provider pays it back, the usual method for money that came through one. `manual`: you have paid it back yourself and record it here. */
    method?: "gateway" | "manual";
    /** The payment to refund, for an order that was paid in parts through several gateways. */
    payment_session_id?: string;
    /** A note, for the record. */
    note?: string | null;
    /** The reason. */
    reason?: "requested_by_customer" | "duplicate" | "not_delivered" | "fraudulent" | "other";
    /** How it was paid back. Defaults to the way the money arrived. */
    channel?: "wechat" | "alipay" | "bank_transfer" | "cash" | "other";
    /** Who paid it back, if not the person who records it. */
    paid_back_by?: string | null;
    /** When it was paid back: up to 5 minutes from now and up to 400 days ago. Defaults to now. */
    paid_back_at?: string;
    /** The transfer number of the repayment. */
    external_transaction_id?: string;
    /** An image that shows the repayment, uploaded with the purpose `payment_proof`. */
    asset_id?: string;
  };
  FailRefundRequest: {
    /** `not_sent`: the money was never sent. `returned`: it came back. */
    failure_code: "not_sent" | "returned";
    /** A note, for the record. */
    note?: string | null;
  };
  ReversePaymentRequest: {
    /** `not_received`: the money never arrived, and is removed from the books. `other_order`: it was for another order, and becomes an exception. */
    cause: "not_received" | "other_order";
    /** The reason, for the record. */
    note: string;
  };
  SubmitVoucherRequest: {
    /** The channel the money went through. Required if no payment is open. */
    gateway?: Objects["PersonalGatewaySlug"];
    /** The transfer's number. */
    transaction_reference?: string | null;
    /** The payer's name. */
    payer_name?: string | null;
    /** When it was paid. */
    paid_at?: string;
    /** The amount sent, in minor units. */
    amount_minor?: number;
    /** A note to the reviewer. */
    note?: string | null;
    /** An image uploaded as `payment_proof`. */
    asset_id?: string | null;
  };
  SubmitVoucherForm: {
    /** A PNG, JPEG or WebP image of up to 5 MB and 25 megapixels. */
    file?: string;
    /** The channel the money went through. Required if no payment is open. */
    gateway?: Objects["PersonalGatewaySlug"];
    /** The transfer's number. */
    transaction_reference?: string | null;
    /** The payer's name. */
    payer_name?: string | null;
    /** When it was paid. */
    paid_at?: string;
    /** The amount sent, in minor units. */
    amount_minor?: number;
    /** A note to the reviewer. */
    note?: string | null;
  };
  ResolveExceptionRequest: {
    /** `accept`: the money pays the order, which stays flagged `underpaid` if some is missing; if the order is already paid, you keep the money. `refund`: all of it is refunded through the provider it came through, or you have paid it back yourself; a refund is recorded. `ignore`: the money stays in the wallet but pays no order; if it isn't booked yet, it's set aside with its receipt. */
    action: "accept" | "refund" | "ignore";
    /** The order the money is for, if it isn't the exception's order. */
    order_id?: string;
    /** The exact missing amount, to accept the money for an order although more is missing than the merchant's tolerance. */
    confirm_shortfall_minor?: number;
    /** How the money is refunded, with `action: refund`. */
    refund?: {
      /** `gateway`: the payment's provider pays it back, the usual method for money that came through one. `manual`: you have paid it back yourself and record it here. */
      method?: "gateway" | "manual";
      /** The reason. */
      reason?: "requested_by_customer" | "duplicate" | "not_delivered" | "fraudulent" | "other";
      /** How it was paid back. Defaults to the way the money arrived. */
      channel?: "wechat" | "alipay" | "bank_transfer" | "cash" | "other";
      /** Who paid it back, if not the person who records it. */
      paid_back_by?: string | null;
      /** When it was paid back: up to 5 minutes from now and up to 400 days ago. Defaults to now. */
      paid_back_at?: string;
      /** The transfer number of the repayment. */
      external_transaction_id?: string;
      /** An image that shows the repayment, uploaded with the purpose `payment_proof`. */
      asset_id?: string;
    };
    /** The reason, for the record. */
    note?: string | null;
  };
  UploadAssetForm: {
    /** A PNG, JPEG or WebP image of up to 5 MB (512 KB for a logo) and 25 megapixels. */
    file: string;
    /** What the image is for. */
    purpose: "collection_qr" | "payment_proof" | "logo";
  };
  PutCollectionProfileRequest: {
    /** An image of the code, uploaded as `collection_qr`. Send this or `qr_payload`. */
    qr_asset_id?: string | null;
    /** The code's text. Surrounding spaces, line breaks and quotes are removed. Send this or `qr_asset_id`. */
    qr_payload?: string | null;
    /** Accept an image that no code could be read from. Buyers then see the image. */
    allow_image_only?: boolean;
    /** Accept a code with a fixed amount for every buyer (`qr_fixed_amount`). */
    confirm_fixed_amount?: boolean;
    /** Whether buyers are offered the channel. Defaults to `true`. */
    enabled?: boolean;
    /** The name buyers see in their wallet. */
    payee_name?: string | null;
    /** Instructions shown to buyers next to the code, by language. */
    instructions?: Record<string, string>;
    /** How receipts are matched to payments. */
    matching?: {
      /** How receipts are matched to payments. `exact`: a person decides. `remark`: the buyer enters a code in the transfer's note. `unique_amount`: each open payment is assigned a unique amount, slightly lower. Defaults to `exact`. */
      mode?: "exact" | "remark" | "unique_amount";
      /** `unique_amount`: how much less can be asked for, in minor units, up to 5%. Defaults to 99. */
      max_offset_minor?: number;
      /** `unique_amount`: refuse a payment if no amount is free. Defaults to `false`. */
      strict?: boolean;
    };
    /** The account the code pays into. A new name creates a new account. If omitted, it doesn't change, or is that of the merchant's profile with the same code. Required for an image that no code could be read from, if there are several accounts. */
    account_ref?: string | null;
    /** Rules for receipts to set aside. If omitted, they don't change. */
    ignore_rules?: {
      /** `type`: the wallet's transfer type contains the text. `payer`: the payer equals the text. `word`: type, payer or note contains the text. */
      field: "type" | "payer" | "word";
      /** The text to look for. Letter case and width are ignored. */
      text: string;
    }[];
    /** How many minutes a buyer has to pay. Defaults to 30. */
    session_minutes?: number;
    /** The limits on what the code is used for. */
    limits?: {
      /** The smallest amount this channel is offered for. */
      min_minor?: number | null;
      /** The largest amount this channel is offered for. */
      max_minor?: number | null;
      /** The maximum total to ask for per day, in Beijing time. */
      daily_total_minor?: number | null;
    };
  };
  CreateGatewayPaymentRequest: {
    /** The order to pay. If omitted, an order is created from the other fields, or found by its reference. */
    order_id?: string;
    /** Your own reference for the order, unique among open and paid orders. */
    reference?: string;
    /** The amount in the currency's minor units: 9900 is 99.00 CNY. */
    amount_minor?: number;
    /** ISO 4217 code. Lowercase is accepted. */
    currency?: string;
    /** What the buyer sees next to the amount. */
    description?: string | null;
    /** Up to 50 keys of up to 40 characters, with values of up to 500 characters, 16 KB in total. */
    metadata?: Record<string, string>;
    /** Where the page sends the buyer after payment: https, or http on localhost in TEST. */
    return_url?: string | null;
    /** The buyer. */
    customer?: {
      /** Name. */
      name?: string | null;
      /** Email address. */
      email?: string | null;
      /** Phone number. */
      phone?: string | null;
    };
  };
  CreateGatewayCredentialRequest: {
    /** The fields of the gateway's form, as listed in `credential_fields` in the list of gateways. Required, except with `demo`. */
    fields?: Record<string, string | null>;
    /** `true`: add the gateway's demo account; send this in place of `fields`. Its provider is simulated by this server, and it takes payments as long as the gateway has no other account. Only in TEST, one for each gateway. */
    demo?: boolean;
    /** Your own name for the account. */
    label?: string | null;
    /** `false`: no new payments go to it. */
    enabled?: boolean;
    /** Its position among the accounts. Defaults to the last. */
    position?: number;
    /** Its share of payments among accounts in the same position. Defaults to 100. */
    weight?: number;
    /** Payments outside these limits go to another account. */
    limits?: {
      /** The smallest payment it accepts, in minor units of the payment's currency. */
      min_minor?: number | null;
      /** The largest payment it accepts, in minor units of the payment's currency. */
      max_minor?: number | null;
    };
    /** The currencies it accepts, limited to those of the gateway; null for all of them. */
    currencies?: string[] | null;
  };
  UpdateGatewayCredentialRequest: {
    /** The fields to change; the others stay as they are. `null` removes a field. */
    fields?: Record<string, string | null>;
    /** With `fields`: how many seconds callbacks signed with the previous ones are still accepted, up to seven days. Defaults to one day. At most the three newest previous sets are kept; a fourth change within that time ends the oldest. */
    expire_old_in_seconds?: number;
    /** Your own name for the account. */
    label?: string | null;
    /** `false`: no new payments go to it. */
    enabled?: boolean;
    /** Its position among the accounts. Defaults to the last. */
    position?: number;
    /** Its share of payments among accounts in the same position. Defaults to 100. */
    weight?: number;
    /** Payments outside these limits go to another account. */
    limits?: {
      /** The smallest payment it accepts, in minor units of the payment's currency. */
      min_minor?: number | null;
      /** The largest payment it accepts, in minor units of the payment's currency. */
      max_minor?: number | null;
    };
    /** The currencies it accepts, limited to those of the gateway; null for all of them. */
    currencies?: string[] | null;
  };
  RecordReceiptRequest: {
    /** The wallet. */
    channel: "wechat" | "alipay";
    /** The amount received, in minor units. */
    amount_minor: number;
    /** The currency. Defaults to the channel's. */
    currency?: string;
    /** When the money arrived. */
    occurred_at: string;
    /** The wallet's transfer number. If it was already sent, the existing receipt is returned. */
    external_id?: string | null;
    /** The account it arrived in, if it isn't that of the project's code. */
    account_ref?: string | null;
    /** The wallet's own transfer type. */
    kind?: string | null;
    /** The transfer's note. */
    remark?: string | null;
    /** What the wallet shows about the payer. */
    payer_hint?: string | null;
    /** `listener` for a key, `manual` for a signed-in person; anything else is refused. */
    source?: "listener" | "manual";
  };
  LinkReceiptRequest: {
    /** The order the money is for. */
    order_id?: string;
    /** The payment the money is for. Send this or `order_id`. */
    payment_session_id?: string;
  };
  IgnoreReceiptRequest: {
    /** The reason, for the record. */
    reason: string;
  };
  ChangeReceiptsRequest: {
    /** `link`: links each receipt in `links` to its order. `link_set`: links all of `receipt_ids` to all of `order_ids` as one set of approved payments. `unlink` and `ignore` apply to all of `receipt_ids`. */
    action: "link" | "link_set" | "unlink" | "ignore";
    /** The receipts. */
    receipt_ids?: string[];
    /** `link_set`: the approved orders, as many as there are receipts. */
    order_ids?: string[];
    /** `link`: which receipt is for which order. */
    links?: {
      /** The receipt. */
      receipt_id: string;
      /** The order the money is for. */
      order_id?: string;
      /** The payment the money is for. Send this or `order_id`. */
      payment_session_id?: string;
    }[];
    /** The reason, for the record. */
    reason?: string;
  };
  PreviewStatementForm: {
    /** The CSV or XLSX file that WeChat Pay or Alipay exports for a wallet or a merchant account, unmodified. Up to 5 MB. */
    file: string;
    /** Refuse the file if it's from another wallet. */
    channel?: "wechat" | "alipay";
    /** The statement's account, if it isn't that of the project's code. */
    account_ref?: string;
  };
  CreateWebhookRequest: {
    /** A public https address on port 443 or 8443. */
    url: string;
    /** Event names: `order.paid`, `order.failed`, `order.payment_pending_verify`, `order.created`, `order.expired`, `order.verification_rejected`, `transaction.completed`, `payment.session.created`, `payment.session.failed`, `payment.exception`, `payment.reversed`, `refund.succeeded`, `refund.failed`, `dispute.opened`, `dispute.won`, `dispute.lost`, `email.queued`, `email.scheduled`, `email.sent`, `email.delivery_delayed`, `email.delivered`, `email.bounced`, `email.complained`, `email.failed`, `email.suppressed`, `email.canceled`, `email.opened`, `email.clicked`, `email.unsubscribed`, `email.received`, `sms.queued`, `sms.scheduled`, `sms.sent`, `sms.delivered`, `sms.undelivered`, `sms.failed`, `sms.canceled`, `sms.received`, `sms.opted_out`, `call.scheduled`, `call.queued`, `call.initiated`, `call.ringing`, `call.in_progress`, `call.gathered`, `call.recording_ready`, `call.completed`, `call.busy`, `call.no_answer`, `call.failed`, `call.canceled`, `verification.created`, `verification.sent`, `verification.approved`, `verification.failed`, `verification.expired`, `verification.canceled`, `domain.verified`, `domain.failed`, `number.approved`, `number.rejected`, `messaging.cap_warning`, `messaging.cap_reached`, `messaging.paused`, `messaging.released`, `suppression.created`, `suppression.deleted`, `webhook.test`; families: `order.*`, `transaction.*`, `payment.*`, `refund.*`, `dispute.*`, `email.*`, `sms.*`, `call.*`, `verification.*`, `domain.*`, `number.*`, `messaging.*`, `suppression.*`; or `*` for all events except `email.queued`, `email.opened` and `email.clicked`. */
    events: string[];
    /** Your own note. */
    description?: string | null;
  };
  UpdateWebhookRequest: {
    /** A public https address on port 443 or 8443. */
    url?: string;
    /** Event names: `order.paid`, `order.failed`, `order.payment_pending_verify`, `order.created`, `order.expired`, `order.verification_rejected`, `transaction.completed`, `payment.session.created`, `payment.session.failed`, `payment.exception`, `payment.reversed`, `refund.succeeded`, `refund.failed`, `dispute.opened`, `dispute.won`, `dispute.lost`, `email.queued`, `email.scheduled`, `email.sent`, `email.delivery_delayed`, `email.delivered`, `email.bounced`, `email.complained`, `email.failed`, `email.suppressed`, `email.canceled`, `email.opened`, `email.clicked`, `email.unsubscribed`, `email.received`, `sms.queued`, `sms.scheduled`, `sms.sent`, `sms.delivered`, `sms.undelivered`, `sms.failed`, `sms.canceled`, `sms.received`, `sms.opted_out`, `call.scheduled`, `call.queued`, `call.initiated`, `call.ringing`, `call.in_progress`, `call.gathered`, `call.recording_ready`, `call.completed`, `call.busy`, `call.no_answer`, `call.failed`, `call.canceled`, `verification.created`, `verification.sent`, `verification.approved`, `verification.failed`, `verification.expired`, `verification.canceled`, `domain.verified`, `domain.failed`, `number.approved`, `number.rejected`, `messaging.cap_warning`, `messaging.cap_reached`, `messaging.paused`, `messaging.released`, `suppression.created`, `suppression.deleted`, `webhook.test`; families: `order.*`, `transaction.*`, `payment.*`, `refund.*`, `dispute.*`, `email.*`, `sms.*`, `call.*`, `verification.*`, `domain.*`, `number.*`, `messaging.*`, `suppression.*`; or `*` for all events except `email.queued`, `email.opened` and `email.clicked`. */
    events?: string[];
    /** Your own note. */
    description?: string | null;
    /** `disabled` stops deliveries: events that occur in the meantime are skipped, and `replay` sends them. `enabled` resumes deliveries with a clean record. */
    status?: "enabled" | "disabled";
  };
  TestWebhookRequest: {
    /** The event to send. Defaults to `webhook.test`. */
    event?: string;
  };
  RollWebhookSecretRequest: {
    /** `true`: the new secret signs both headers right away, and the old one signs nothing anymore. Use this if a secret was leaked. */
    expire_old_now?: boolean;
  };
  PromoteWebhookSecretRequest: {
    /** `true`: the old secret stops signing `webhook-signature` now instead of in 24 hours. */
    expire_old_now?: boolean;
  };
  ReplayWebhookEventsRequest: {
    /** The start of the period, up to 30 days ago. */
    since: string;
    /** The end of the period. Defaults to now. */
    until?: string;
    /** Only these names or families. Defaults to everything the endpoint subscribes to. */
    events?: string[];
    /** `true` also sends events the endpoint has already received, with the same IDs. */
    include_delivered?: boolean;
  };
  RetryWebhookAttemptRequest: Record<string, unknown>;
  RollCallbackSecretRequest: {
    /** `true`: the new secret signs both headers right away, and the old one signs nothing anymore. Use this if a secret was leaked. */
    expire_old_now?: boolean;
  };
  PromoteCallbackSecretRequest: {
    /** `true`: the old secret stops signing `webhook-signature` now instead of in 24 hours. */
    expire_old_now?: boolean;
  };
  UpdateMessagingLimitsRequest: {
    /** The countries you allow; null for the merchant's own country. Owners get an email when countries are added. */
    countries?: string[] | null;
    /** Your own caps, lower than the operator's. Caps you leave out don't change. */
    caps?: {
      /** The daily spending cap (UTC), in millionths of the price table's currency. null removes it. */
      daily_spend_micros?: number | null;
      /** The monthly spending cap, in millionths. null removes it. */
      monthly_spend_micros?: number | null;
      /** SMS parts per day, if SMS have no prices. null removes it. */
      daily_segments?: number | null;
      /** SMS parts per month. null removes it. */
      monthly_segments?: number | null;
      /** Call minutes per day, rounded up per call, if calls have no prices. null removes it. */
      daily_minutes?: number | null;
      /** Call minutes per month. null removes it. */
      monthly_minutes?: number | null;
      /** Concurrent calls. null removes it. */
      calls_at_once?: number | null;
    };
    /** Quiet hours. Kinds you leave out don't change. */
    quiet_hours?: {
      /** For SMS with the category `marketing`. Defaults to 21:00 to 08:00; null for none. */
      marketing?: {
        /** When they begin, in the recipient's local time. */
        from: string;
        /** When they end. */
        to: string;
      } | null;
      /** For all other SMS except codes. None by default. */
      transactional?: {
        /** When they begin, in the recipient's local time. */
        from: string;
        /** When they end. */
        to: string;
      } | null;
      /** For all calls except codes. None by default. */
      calls?: {
        /** When they begin, in the recipient's local time. */
        from: string;
        /** When they end. */
        to: string;
      } | null;
    };
  };
  /** A message to send. */
  CreateEmailRequest: {
    /** The sender: an address, or a name and an address. In LIVE, its domain must be verified for this project or be the platform's domain. */
    from: string;
    /** The recipients: an address or a list, up to 50 with cc and bcc. Each gets a separate copy. */
    to: string | string[];
    /** The subject. */
    subject: string;
    /** The message as HTML, up to 2 MB. Send `html`, `text` or both. */
    html?: string | null;
    /** The message as plain text, up to 2 million characters. Generated from the HTML if omitted. */
    text?: string | null;
    /** Recipients of copies, visible to everyone. */
    cc?: string | string[] | null;
    /** Recipients of copies, hidden from everyone. */
    bcc?: string | string[] | null;
    /** Where replies go. */
    reply_to?: string | string[] | null;
    /** Your own headers, such as `X-Order`. Headers that Tillpost sets are refused. */
    headers?: Record<string, string> | null;
    /** Up to 50 files, 25 MB in total once decoded. Send their bytes in `content`; file URLs aren't fetched. */
    attachments?: {
      /** The file name the recipient sees. */
      filename: string;
      /** The content in base64. */
      content: string;
      /** The media type. Defaults to the one for the file name's extension. */
      content_type?: string | null;
      /** An ID for showing the file in the HTML: `logo` is shown by `<img src="cid:logo">`. */
      content_id?: string | null;
    }[] | null;
    /** What to track. Nothing by default. */
    tracking?: {
      /** Track opens with a pixel in the HTML. */
      opens?: boolean;
      /** Track clicks by routing the HTML's links through this server. */
      clicks?: boolean;
    } | null;
    /** Adds one-click unsubscribe. Marketing email always has it. */
    unsubscribe?: boolean | null;
    /** `marketing` adds one-click unsubscribe. Defaults to `transactional`. */
    category?: "transactional" | "marketing";
    /** Up to 50 names and values to find messages by. */
    tags?: {
      /** Up to 256 letters, digits, `_` and `-`. */
      name: string;
      /** The same. */
      value: string;
    }[] | null;
    /** Up to 50 keys of up to 40 characters, with values of up to 500 characters, 16 KB in total. */
    metadata?: Record<string, string> | null;
    /** When to send it, up to 30 days ahead. Sent right away if omitted. */
    scheduled_at?: string | null;
    /** How many seconds to keep trying to deliver it. Defaults to two days. */
    expires_in?: number | null;
    /** A public https address that receives this message's events, signed like webhooks. */
    status_callback?: string | null;
  };
  RescheduleEmailRequest: {
    /** When to send it, up to 30 days ahead. */
    scheduled_at: string;
  };
  CancelEmailRequest: Record<string, unknown>;
  /** An SMS to send. */
  CreateSmsRequest: {
    /** The sender: a number in international form, a short code, or a sender name of up to 11 letters and digits. In LIVE, it must be approved for this project. In TEST, it can be anything and defaults to the simulator's `+15005550006`. */
    from?: string | null;
    /** The recipient: a phone number in international form (E.164). */
    to: string;
    /** The text, 1 to 1,600 characters. */
    body?: string | null;
    /** Another name for `body`. Send only one of them. */
    text?: string | null;
    /** Refuse texts that need more parts than this. Defaults to 10. */
    max_segments?: number | null;
    /** Replace curly quotes, long dashes and similar characters with plain ones if the whole text then fits GSM-7. */
    smart_encoding?: boolean | null;
    /** How many seconds to keep trying to send it. Defaults to ten hours. */
    validity_period?: number | null;
    /** Another name for `validity_period`. Send only one of them. */
    expires_in?: number | null;
    /** In LIVE, `marketing` waits until the recipient's quiet hours end; `transactional`, the default, only waits if the project's messaging limits say so. Waiting messages are `scheduled`. */
    category?: "transactional" | "marketing" | null;
    /** When to send it, up to 30 days ahead. Sent right away if omitted. */
    scheduled_at?: string | null;
    /** Up to 50 names and values to find messages by. */
    tags?: {
      /** Up to 256 letters, digits, `_` and `-`. */
      name: string;
      /** The same. */
      value: string;
    }[] | null;
    /** Up to 50 keys of up to 40 characters, with values of up to 500 characters, 16 KB in total. */
    metadata?: Record<string, string> | null;
    /** A public https address that receives this message's events, signed like webhooks. */
    status_callback?: string | null;
  };
  /** A text. */
  EstimateSmsRequest: {
    /** The text, 1 to 1,600 characters. */
    body?: string | null;
    /** Another name for `body`. Send only one of them. */
    text?: string | null;
    /** Refuse texts that need more parts than this. Defaults to 10. */
    max_segments?: number | null;
    /** Replace curly quotes, long dashes and similar characters with plain ones if the whole text then fits GSM-7. */
    smart_encoding?: boolean | null;
  };
  RescheduleSmsRequest: {
    /** When to send it, up to 30 days ahead. */
    scheduled_at: string;
  };
  CancelSmsRequest: Record<string, unknown>;
  CreateSmsBatchRequest: Objects["CreateSmsRequest"][] | {
    /** Default fields for every message in the batch; a message can override them. */
    defaults?: {
      /** The sender: a number in international form, a short code, or a sender name of up to 11 letters and digits. In LIVE, it must be approved for this project. In TEST, it can be anything and defaults to the simulator's `+15005550006`. */
      from?: string | null;
      /** The recipient: a phone number in international form (E.164). */
      to?: string;
      /** The text, 1 to 1,600 characters. */
      body?: string | null;
      /** Another name for `body`. Send only one of them. */
      text?: string | null;
      /** Refuse texts that need more parts than this. Defaults to 10. */
      max_segments?: number | null;
      /** Replace curly quotes, long dashes and similar characters with plain ones if the whole text then fits GSM-7. */
      smart_encoding?: boolean | null;
      /** How many seconds to keep trying to send it. Defaults to ten hours. */
      validity_period?: number | null;
      /** Another name for `validity_period`. Send only one of them. */
      expires_in?: number | null;
      /** In LIVE, `marketing` waits until the recipient's quiet hours end; `transactional`, the default, only waits if the project's messaging limits say so. Waiting messages are `scheduled`. */
      category?: "transactional" | "marketing" | null;
      /** When to send it, up to 30 days ahead. Sent right away if omitted. */
      scheduled_at?: string | null;
      /** Up to 50 names and values to find messages by. */
      tags?: {
        /** Up to 256 letters, digits, `_` and `-`. */
        name: string;
        /** The same. */
        value: string;
      }[] | null;
      /** Up to 50 keys of up to 40 characters, with values of up to 500 characters, 16 KB in total. */
      metadata?: Record<string, string> | null;
      /** A public https address that receives this message's events, signed like webhooks. */
      status_callback?: string | null;
    };
    /** The messages. */
    messages: Objects["CreateSmsRequest"][];
  };
  /** A call to place. */
  CreateCallRequest: {
    /** The caller ID, in international form. In LIVE, a number approved for this project. */
    from: string;
    /** The number to call, in international form (E.164). */
    to: string;
    /** The text to speak. Send exactly one of `text`, `audio_url`, `actions` and `answer_url`. */
    text?: string | null;
    /** The public https address of a WAV file to play. */
    audio_url?: string | null;
    /** Up to 50 verbs, run in order once the call is answered. */
    actions?: {
      /** What to do. */
      verb: "say" | "play" | "gather" | "pause" | "record" | "dtmf" | "hangup";
      /** `say`: the text to speak. */
      text?: string | null;
      /** A voice, as the speech engine names it. Defaults to the engine's usual voice for the language. */
      voice?: string | null;
      /** The language to speak, as a language tag. */
      language?: string | null;
      /** How fast to speak; 1 is the voice's normal speed. */
      speed?: number | null;
      /** `say`, `play`: how many times to repeat it, up to 10. */
      loop?: number | null;
      /** `play`: the public https address of a WAV file: PCM, μ-law or A-law, up to 5 minutes and 10 MB. */
      url?: string | null;
      /** `pause`: how many seconds to wait, up to 60. */
      length?: number | null;
      /** `gather`: the name of the keys in the call's `gathered`. Defaults to `digits`. */
      name?: string | null;
      /** `gather`: how many keys to collect. */
      num_digits?: number | null;
      /** `gather`, `record`: the key that ends it. Defaults to `#`; empty for none. */
      finish_on_key?: string | null;
      /** `gather`: how many seconds to wait for a key. Defaults to 5. */
      timeout?: number | null;
      /** `gather`: how many times to ask while no key is pressed. Defaults to 1. */
      max_attempts?: number | null;
      /** `gather`, `record`: a public https address that receives the keys or the recording. Its response can replace the remaining actions. */
      action_url?: string | null;
      /** `record`: how many seconds to record, up to 300. Defaults to 60. */
      max_length?: number | null;
      /** `dtmf`: the keys to send. `w` pauses for half a second, `W` for a second. */
      digits?: string | null;
      /** `gather`: the prompt, made of `say`, `play` and `pause`. It stops at the first key. */
      actions?: {
        /** What the callee hears. */
        verb: "say" | "play" | "pause";
        /** `say`: the text to speak. */
        text?: string | null;
        /** A voice, as the speech engine names it. Defaults to the engine's usual voice for the language. */
        voice?: string | null;
        /** The language to speak, as a language tag. */
        language?: string | null;
        /** How fast to speak; 1 is the voice's normal speed. */
        speed?: number | null;
        /** `say`, `play`: how many times to repeat it, up to 10. */
        loop?: number | null;
        /** `play`: the public https address of a WAV file: PCM, μ-law or A-law, up to 5 minutes and 10 MB. */
        url?: string | null;
        /** `pause`: how many seconds to wait, up to 60. */
        length?: number | null;
        /** `gather`: the name of the keys in the call's `gathered`. Defaults to `digits`. */
        name?: string | null;
        /** `gather`: how many keys to collect. */
        num_digits?: number | null;
        /** `gather`, `record`: the key that ends it. Defaults to `#`; empty for none. */
        finish_on_key?: string | null;
        /** `gather`: how many seconds to wait for a key. Defaults to 5. */
        timeout?: number | null;
        /** `gather`: how many times to ask while no key is pressed. Defaults to 1. */
        max_attempts?: number | null;
        /** `gather`, `record`: a public https address that receives the keys or the recording. Its response can replace the remaining actions. */
        action_url?: string | null;
        /** `record`: how many seconds to record, up to 300. Defaults to 60. */
        max_length?: number | null;
        /** `dtmf`: the keys to send. `w` pauses for half a second, `W` for a second. */
        digits?: string | null;
      }[] | null;
    }[] | null;
    /** A public https address that is asked for actions when the call is answered. */
    answer_url?: string | null;
    /** What to say before hanging up if one of your addresses or audio files fails. */
    fallback_text?: string | null;
    /** A voice, as the speech engine names it. Defaults to the engine's usual voice for the language. */
    voice?: string | null;
    /** The language to speak, as a language tag. */
    language?: string | null;
    /** How fast to speak; 1 is the voice's normal speed. */
    speed?: number | null;
    /** How many seconds to let it ring. Defaults to 30. */
    timeout?: number | null;
    /** The call's maximum length in seconds, from the answer. Defaults to 600; at most 3600 if it's recorded. */
    time_limit?: number | null;
    /** Whether to record the call: `true` or `mono` for one channel, `dual` for one channel per side. Ask for consent first. */
    record?: true | false | "mono" | "dual" | null;
    /** Keys to send as soon as the call is answered, before anything else. */
    send_digits?: string | null;
    /** Up to 50 names and values to find messages by. */
    tags?: {
      /** Up to 256 letters, digits, `_` and `-`. */
      name: string;
      /** The same. */
      value: string;
    }[] | null;
    /** Up to 50 keys of up to 40 characters, with values of up to 500 characters, 16 KB in total. */
    metadata?: Record<string, string> | null;
    /** When to call, up to 30 days ahead. Placed right away if omitted. */
    scheduled_at?: string | null;
    /** How many seconds to keep trying to place the call. Defaults to an hour. */
    expires_in?: number | null;
    /** A public https address that receives this call's events, signed like webhooks. */
    status_callback?: string | null;
  };
  RescheduleCallRequest: {
    /** When to send it, up to 30 days ahead. */
    scheduled_at: string;
  };
  HangUpCallRequest: Record<string, unknown>;
  /** A number or address to verify. */
  CreateVerificationRequest: {
    /** A phone number in international form, or an email address. */
    to: string;
    /** How to send the code: `sms` and `call` to a number, `email` to an address. The first channel is used right away, the others in order if it fails. */
    channels: ("sms" | "call" | "email")[];
    /** The sender: a number for `sms` and `call`, a sender name or short code for `sms`, an address for `email`. Defaults to the project's usual number or sender for each channel, and for `email` to the platform's domain. If it's a name or short code, calls come from the usual number. */
    from?: string | null;
    /** The language of the message, as a language tag. Unsupported languages fall back to English. */
    locale?: string | null;
    /** How many digits the code has. Defaults to 6. */
    code_length?: number | null;
    /** How many seconds the code is valid. Defaults to 600. */
    expires_in?: number | null;
    /** How many seconds to wait for a message whose result is unknown before using the next channel. If omitted, only a failure triggers it. */
    fallback_after?: number | null;
    /** What the code is for. Defaults to `code`. */
    template?: "code" | "sign_in" | "payment" | null;
    /** The host of the page where the code is entered. The SMS then ends with `@host #code`, and phones offer to fill in the code only on that site. */
    origin?: string | null;
    /** Up to 50 keys of up to 40 characters, with values of up to 500 characters, 16 KB in total. */
    metadata?: Record<string, string> | null;
  };
  /** A code to check. */
  CheckVerificationRequest: {
    /** The code the person entered. */
    code: string;
  };
  /** A code to check. */
  CheckNewestVerificationRequest: {
    /** The recipient; their latest pending verification is checked. */
    to: string;
    /** The code the person entered. */
    code: string;
  };
  /** How to resend the code. */
  ResendVerificationRequest: {
    /** One of the verification's channels. Defaults to the last one used. */
    channel?: "sms" | "call" | "email";
  };
  CancelVerificationRequest: Record<string, unknown>;
  CreateEmailBatchRequest: Objects["CreateEmailRequest"][] | {
    /** Default fields for every message in the batch; a message can override them. */
    defaults?: {
      /** The sender: an address, or a name and an address. In LIVE, its domain must be verified for this project or be the platform's domain. */
      from?: string;
      /** The recipients: an address or a list, up to 50 with cc and bcc. Each gets a separate copy. */
      to?: string | string[];
      /** The subject. */
      subject?: string;
      /** The message as HTML, up to 2 MB. Send `html`, `text` or both. */
      html?: string | null;
      /** The message as plain text, up to 2 million characters. Generated from the HTML if omitted. */
      text?: string | null;
      /** Recipients of copies, visible to everyone. */
      cc?: string | string[] | null;
      /** Recipients of copies, hidden from everyone. */
      bcc?: string | string[] | null;
      /** Where replies go. */
      reply_to?: string | string[] | null;
      /** Your own headers, such as `X-Order`. Headers that Tillpost sets are refused. */
      headers?: Record<string, string> | null;
      /** Up to 50 files, 25 MB in total once decoded. Send their bytes in `content`; file URLs aren't fetched. */
      attachments?: {
        /** The file name the recipient sees. */
        filename: string;
        /** The content in base64. */
        content: string;
        /** The media type. Defaults to the one for the file name's extension. */
        content_type?: string | null;
        /** An ID for showing the file in the HTML: `logo` is shown by `<img src="cid:logo">`. */
        content_id?: string | null;
      }[] | null;
      /** What to track. Nothing by default. */
      tracking?: {
        /** Track opens with a pixel in the HTML. */
        opens?: boolean;
        /** Track clicks by routing the HTML's links through this server. */
        clicks?: boolean;
      } | null;
      /** Adds one-click unsubscribe. Marketing email always has it. */
      unsubscribe?: boolean | null;
      /** `marketing` adds one-click unsubscribe. Defaults to `transactional`. */
      category?: "transactional" | "marketing";
      /** Up to 50 names and values to find messages by. */
      tags?: {
        /** Up to 256 letters, digits, `_` and `-`. */
        name: string;
        /** The same. */
        value: string;
      }[] | null;
      /** Up to 50 keys of up to 40 characters, with values of up to 500 characters, 16 KB in total. */
      metadata?: Record<string, string> | null;
      /** When to send it, up to 30 days ahead. Sent right away if omitted. */
      scheduled_at?: string | null;
      /** How many seconds to keep trying to deliver it. Defaults to two days. */
      expires_in?: number | null;
      /** A public https address that receives this message's events, signed like webhooks. */
      status_callback?: string | null;
    };
    /** The messages. */
    emails: Objects["CreateEmailRequest"][];
  } | {
    /** Default fields for every message in the batch; a message can override them. */
    defaults?: {
      /** The sender: an address, or a name and an address. In LIVE, its domain must be verified for this project or be the platform's domain. */
      from?: string;
      /** The recipients: an address or a list, up to 50 with cc and bcc. Each gets a separate copy. */
      to?: string | string[];
      /** The subject. */
      subject?: string;
      /** The message as HTML, up to 2 MB. Send `html`, `text` or both. */
      html?: string | null;
      /** The message as plain text, up to 2 million characters. Generated from the HTML if omitted. */
      text?: string | null;
      /** Recipients of copies, visible to everyone. */
      cc?: string | string[] | null;
      /** Recipients of copies, hidden from everyone. */
      bcc?: string | string[] | null;
      /** Where replies go. */
      reply_to?: string | string[] | null;
      /** Your own headers, such as `X-Order`. Headers that Tillpost sets are refused. */
      headers?: Record<string, string> | null;
      /** Up to 50 files, 25 MB in total once decoded. Send their bytes in `content`; file URLs aren't fetched. */
      attachments?: {
        /** The file name the recipient sees. */
        filename: string;
        /** The content in base64. */
        content: string;
        /** The media type. Defaults to the one for the file name's extension. */
        content_type?: string | null;
        /** An ID for showing the file in the HTML: `logo` is shown by `<img src="cid:logo">`. */
        content_id?: string | null;
      }[] | null;
      /** What to track. Nothing by default. */
      tracking?: {
        /** Track opens with a pixel in the HTML. */
        opens?: boolean;
        /** Track clicks by routing the HTML's links through this server. */
        clicks?: boolean;
      } | null;
      /** Adds one-click unsubscribe. Marketing email always has it. */
      unsubscribe?: boolean | null;
      /** `marketing` adds one-click unsubscribe. Defaults to `transactional`. */
      category?: "transactional" | "marketing";
      /** Up to 50 names and values to find messages by. */
      tags?: {
        /** Up to 256 letters, digits, `_` and `-`. */
        name: string;
        /** The same. */
        value: string;
      }[] | null;
      /** Up to 50 keys of up to 40 characters, with values of up to 500 characters, 16 KB in total. */
      metadata?: Record<string, string> | null;
      /** When to send it, up to 30 days ahead. Sent right away if omitted. */
      scheduled_at?: string | null;
      /** How many seconds to keep trying to deliver it. Defaults to two days. */
      expires_in?: number | null;
      /** A public https address that receives this message's events, signed like webhooks. */
      status_callback?: string | null;
    };
    /** The messages. */
    messages: Objects["CreateEmailRequest"][];
  };
  SimulateInboundRequest: {
    /** What the email's recipient does. */
    type?: "reply" | "complaint" | "bounce" | "unsubscribe";
    /** The email. It must have been delivered. */
    email_id?: string;
    /** Which recipient, if there are several. Defaults to the first. */
    recipient?: string | null;
    /** The text of a reply. */
    text?: string | null;
    /** An inbound SMS. */
    sms?: {
      /** The number that sends it. */
      from: string;
      /** Your number that receives it. Defaults to `+15005550006`. */
      to?: string | null;
      /** The text. `STOP`, `START` and `HELP` work as keywords. */
      body: string;
    };
  };
  CreateDomainRequest: {
    /** The domain's name. International names work too. */
    name: string;
    /** The subdomain that receives bounces. Defaults to `bounces`. */
    custom_return_path?: string;
    /** The subdomain for tracking and unsubscribe links. Defaults to `links`. */
    tracking_subdomain?: string;
    /** Accepted for compatibility with clients that send it, and ignored. */
    region?: string;
  };
  VerifyDomainRequest: Record<string, unknown>;
  CreateSuppressionRequest: {
    /** The address. Required, unless `email` has it. */
    address?: string;
    /** Another name for `address`, for compatibility with other clients. */
    email?: string;
    /** Defaults to `email`. */
    channel?: "email" | "sms" | "call";
    /** The reason. Defaults to `manual`; use the others when importing a list. */
    reason?: "bounce" | "complaint" | "unsubscribe" | "manual";
    /** When it expires; null for never. If omitted, 90 days for `bounce`, never for the others. */
    expires_at?: string | null;
  };
  CreateNumberRequest: {
    /** A phone number in international form, a short code, or a sender name of up to 11 letters, digits and spaces. */
    value: string;
    /** Derived from the value. A kind that contradicts it is refused. */
    kind?: "number" | "alphanumeric";
    /** The channels to use it for. Defaults to all that the number supports and your permissions cover. */
    channels?: ("sms" | "call")[];
    /** The countries to use it in (ISO 3166-1 alpha-2). Defaults to all countries the project may reach. */
    countries?: string[] | null;
    /** What you'll send from it and why you may use it. The operator reviews the request based on this. */
    purpose?: string | null;
  };
  InitiatePaymentRequest: {
    /** The payment method. */
    gateway: Objects["GatewaySlug"];
  };
  ReportPaymentRequest: {
    /** The payment method that was used. */
    gateway?: Objects["PersonalGatewaySlug"];
  };
  WithdrawReportRequest: Record<string, unknown>;
  SimulateOnPageRequest: Record<string, unknown>;
  SendProofRequest: {
    /** The channel the money went through. Required if no payment is open. */
    gateway?: Objects["PersonalGatewaySlug"];
    /** The transfer's number. */
    transaction_reference?: string | null;
    /** The payer's name. */
    payer_name?: string | null;
    /** When it was paid. */
    paid_at?: string;
    /** The amount sent, in minor units. */
    amount_minor?: number;
    /** A note to the reviewer. */
    note?: string | null;
  };
  SendProofForm: {
    /** A PNG, JPEG or WebP image of up to 5 MB and 25 megapixels. */
    file?: string;
    /** The channel the money went through. Required if no payment is open. */
    gateway?: Objects["PersonalGatewaySlug"];
    /** The transfer's number. */
    transaction_reference?: string | null;
    /** The payer's name. */
    payer_name?: string | null;
    /** When it was paid. */
    paid_at?: string;
    /** The amount sent, in minor units. */
    amount_minor?: number;
    /** A note to the reviewer. */
    note?: string | null;
  };
  /** A page of a list. */
  AuditEntryList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["AuditEntry"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: an entry's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  MemberList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Member"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a member's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  ApiKeyList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["ApiKey"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a key's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  InvitationList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Invitation"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: an invitation's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  ProjectList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Project"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a project's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  ListApiKeysList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["ApiKey"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a key's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  FlatPathUseList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["FlatPathUse"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: always null, because everything is on one page. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  OrderList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Order"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: an order's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  VoucherList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Voucher"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a proof's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  DisputeList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Dispute"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a dispute's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  EventList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Event"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: an event's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  ReviewList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Review"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a review's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  PaymentSessionList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["PaymentSession"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a session's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  RefundList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Refund"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a refund's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  ListReviewQueueList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, oldest report first. */
    data: Objects["Order"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: an order's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  PaymentExceptionList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["PaymentException"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: an exception's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  TransactionList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Transaction"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a transaction's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  WalletList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Wallet"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a wallet's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  CollectionProfileList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["CollectionProfile"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a profile's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  GatewayList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, in the order of the payment page. */
    data: Objects["Gateway"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: always null, because there is only one page. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  GatewayPaymentList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["GatewayPayment"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a payment's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  GatewayCredentialList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, in the order in which payments go to them. */
    data: Objects["GatewayCredential"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: an account's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  GatewayAttemptList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["GatewayAttempt"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: an attempt's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  RefusedCallbackList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["RefusedCallback"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a callback's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  ReceiptList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Receipt"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a receipt's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  WebhookList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Webhook"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: an endpoint's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  WebhookAttemptList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["WebhookAttempt"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: an attempt's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  MessagingPauseList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["MessagingPause"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a pause's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  WebhookDeliveryList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["WebhookDelivery"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a delivery's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  EmailList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Email"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a message's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  EmailAttemptList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["EmailAttempt"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: an attempt's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  SmsList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Sms"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a message's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  SmsAttemptList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["SmsAttempt"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: an attempt's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  SmsPartList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["SmsPart"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a part's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  SmsThreadList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["SmsThread"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a conversation's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  CallList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Call"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a call's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  RecordingList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Recording"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a recording's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  VerificationList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Verification"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a verification's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  BatchList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Batch"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a batch's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  DomainList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Domain"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a domain's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  SuppressionList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Suppression"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a suppression's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  ProjectNumberList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["ProjectNumber"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a number's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** What the payment page shows. */
  PaymentPage: {
    /** Always `payment_page`. */
    object: "payment_page";
    /** The link's token. */
    token: string;
    /** False on TEST pages, where no real money is involved. */
    livemode: boolean;
    /** Changes whenever what the page shows changes. */
    version: string;
    /** The language the merchant asked for, or `auto`. */
    locale: string;
    /** What the page shows to the buyer. */
    state: "choose" | "pay" | "checking" | "paid" | "expired" | "revoked" | "canceled" | "failed";
    /** Who is paid. */
    merchant: {
      /** The name the buyer sees. */
      name: string;
      /** A signed address of the logo. */
      logo_url: string | null;
      /** Where to reach the merchant, as an address to open. */
      contact: string | null;
    };
    /** The order being paid. */
    order: {
      /** The merchant's reference for the order. */
      reference: string;
      /** What the order is for. */
      description: string | null;
      /** The order's amount. */
      amount_minor: number;
      /** ISO 4217 code. */
      currency: string;
      /** The number of the currency's decimal places. */
      exponent: number;
      /** What has arrived so far. */
      received_minor: number;
      /** What is still to be paid. */
      rest_minor: number;
      /** For a canceled order: money that arrived for it and waits for the merchant's decision. */
      held_minor: number;
      /** When the order expires. */
      expires_at: string;
      /** How much of what arrived was refunded. */
      refunded_minor: number;
      /** What was paid back but didn't reach the buyer: the merchant has it again. */
      returned_minor: number;
      /** True if there's a receipt to show. */
      has_receipt: boolean;
      /** When the order was paid. */
      paid_at: string | null;
      /** True if the payment was confirmed after the order had expired. */
      paid_late: boolean;
      /** Where the buyer returns to. */
      return_url: string | null;
    };
    /** Refunds waiting for the buyer to say where the money should go. */
    refund_claims: {
      /** The amount. */
      amount_minor: number;
      /** The page where the buyer claims it. */
      url: string;
    }[];
    /** The payment methods available for this order. */
    channels: Objects["GatewaySlug"][];
    /** Those with a simulated provider; none in LIVE. */
    demo_channels: Objects["GatewaySlug"][];
    /** The open payment, or the last one. */
    session: {
      /** The chosen payment method. */
      gateway: Objects["GatewaySlug"];
      /** The payment method. */
      method: string;
      /** `gateway`: the provider confirms the payment, so the buyer doesn't have to report it. */
      kind: "personal_qr" | "gateway";
      /** Whether the provider is simulated, so that no real money is involved. */
      demo: boolean;
      /** Whether the buyer pays on another page; `/pay/{token}/go` redirects them there. */
      leads_away: boolean;
      /** The device a provider's payment was last started for. On another device, start it again: if necessary, a new payment is created. */
      device: string | null;
      /** Whether a buyer inside a wallet app would pay differently in their phone's own browser. */
      in_browser: boolean;
      /** This payment's status. */
      status: string;
      /** Whether this payment failed because only a part of the amount arrived. */
      underpaid: boolean;
      /** Whether this payment expired before its provider reported whether it was paid. */
      outcome_unknown: boolean;
      /** The exact amount to pay; slightly less than the order's amount if payments are told apart by amount. */
      payable_amount_minor: number;
      /** What to enter in the transfer's note. */
      remark_code: string | null;
      /** The name the wallet shows. */
      payee_name: string | null;
      /** The receiving code's text. */
      qr_payload: string | null;
      /** The merchant's instructions, by language. */
      instructions: Record<string, string>;
      /** Until when the code is shown to the buyer. */
      expires_at: string | null;
    } | null;
    /** Why the last reported payment wasn't confirmed. */
    rejection: {
      /** The reason. */
      reason_code: string;
      /** The reviewer's note to the buyer. */
      note: string | null;
    } | null;
    /** When the buyer reported the payment. */
    reported_at: string | null;
    /** The proof waiting for review. */
    proof: {
      /** When the proof was submitted. */
      submitted_at: string;
    } | null;
    /** How many minutes a review usually takes. */
    usual_review_minutes: number | null;
    /** Whether the buyer can report a payment now. */
    can_report: boolean;
    /** Whether the buyer can submit a proof now. */
    can_prove: boolean;
    /** Whether the report can be withdrawn: no one has decided yet, and the order can still be paid. */
    can_withdraw: boolean;
    /** Whether a payment can be simulated on this TEST page. */
    simulate: boolean;
  };
  /** A proof of payment, as its sender can see it. */
  SendProofResponse: {
    /** The proof's ID. */
    id: string;
    /** Always `voucher`. */
    object: "voucher";
    /** The payment it belongs to. */
    payment_session_id: string;
    /** The review's status. */
    status: "submitted" | "approved" | "rejected" | "superseded";
    /** As the buyer entered it. */
    transaction_reference: string | null;
    /** As the buyer entered it. */
    payer_name: string | null;
    /** As the buyer entered it. */
    note: string | null;
    /** When it was received. */
    created_at: string;
  };
  /** A merchant as operators see it. */
  MerchantOverview: {
    /** The merchant's ID. */
    id: string;
    /** Always `merchant`. */
    object: "merchant";
    /** The name people see. */
    display_name: string;
    /** Only a verified merchant can accept LIVE payments. */
    verification_status: "pending" | "verified" | "rejected";
    /** When the merchant was verified. */
    verified_at: string | null;
    /** The tier that sets the messaging API's limits. */
    messaging_tier: "free" | "starter" | "pro" | "enterprise";
    /** How much less than the amount due a reviewer can accept without confirming it, in hundredths of a percent. */
    shortfall_tolerance_bps: number;
    /** Whether all members need two-step sign-in or a passkey. */
    second_step_required: boolean;
    /** Increases by one with every change. */
    version: number;
    /** When the account was created. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
    /** The country's ISO 3166 code. */
    country: string | null;
    /** Why it was rejected. */
    rejection_reason: string | null;
    /** Since when its LIVE sending has been suspended. */
    sending_suspended_at: string | null;
    /** Why sending is suspended, as the merchant sees it. */
    sending_suspended_reason: string | null;
    /** The name of the operator who suspended it. */
    sending_suspended_by: string | null;
    /** How many projects it has. */
    projects: number;
    /** How many people belong to it. */
    members: number;
    /** The email address of its first owner. */
    owner_email: string | null;
  };
  /** A proof that hasn't been reviewed yet. */
  WaitingProof: {
    /** The proof's ID. */
    id: string;
    /** Always `voucher`. */
    object: "voucher";
    /** The project. */
    project_id: string;
    /** False in the TEST environment. */
    livemode: boolean;
    /** The order it's for. */
    order_id: string;
    /** The payment attempt it proves. */
    payment_session_id: string;
    /** The proof's status. */
    status: "submitted" | "approved" | "rejected" | "superseded";
    /** The image. */
    asset_id: string | null;
    /** Shows the image. Works for 15 minutes. */
    asset_url: string | null;
    /** The transfer number, as entered by the payer. */
    transaction_reference: string | null;
    /** The payer's name, as entered by the payer. */
    payer_name: string | null;
    /** When the payer says they paid. */
    paid_at: string | null;
    /** The amount the payer says they sent. */
    amount_minor: number | null;
    /** A note from the payer. */
    note: string | null;
    /** The hash of the image as it was uploaded. */
    sha256: string | null;
    /** What a reviewer should check: `duplicate_image`, `duplicate_reference`, `amount_mismatch`, `time_mismatch`. */
    risk_flags: string[];
    /** Who decided. */
    reviewed_by: string | null;
    /** When it was reviewed. */
    reviewed_at: string | null;
    /** Why it was rejected. */
    rejection_reason: string | null;
    /** When it was submitted. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
    /** The merchant it belongs to. */
    merchant_id: string;
    /** The merchant's name. */
    merchant_name: string;
    /** The project's name. */
    project_name: string;
    /** The order's reference. */
    order_reference: string | null;
    /** The order's amount due. */
    order_amount_minor: number;
    /** How much of it is still due. */
    owed_minor: number;
    /** The amount the buyer was asked for: the same, or slightly less if payments are told apart by amount. */
    expected_minor: number;
    /** The order's currency. */
    currency: string;
  };
  /** The health of the installation. */
  SystemHealth: {
    /** Always `system_health`. */
    object: "system_health";
    /** When this was read. */
    at: string;
    /** The queues of background work. */
    queues: {
      /** The queue's name. */
      name: string;
      /** How many jobs aren't done yet. */
      waiting: number;
      /** Since when the oldest of them has been due; null if nothing is late. */
      oldest_due_at: string | null;
      /** How many jobs ran out of attempts within the last day. */
      dead: number;
      /** How many jobs are no longer tried because workers crashed or stalled with them. `tillpost queues` lists and releases them. */
      set_aside: number;
    }[];
    /** The size of the database in bytes. */
    database_bytes: number;
    /** Open connections. */
    database_connections: number;
    /** The free disk space where this process runs, in bytes. */
    disk_free_bytes: number | null;
    /** This process's memory in bytes. */
    memory_bytes: number;
    /** How email is sent. `outbox`: none leaves the server. */
    mail_transport: "outbox" | "relay" | "mx";
    /** Whether Tillpost backs up its database every night. `elsewhere`: the database isn't managed by Tillpost, so you have to back it up yourself. */
    backups: "nightly" | "off" | "elsewhere";
    /** When the newest backup was started; null if there is none. */
    backup_at: string | null;
    /** When a backup last passed `restore --verify`; null if none has. */
    backup_verified_at: string | null;
    /** When the last attempt failed; null if it didn't. */
    backup_failed_at: string | null;
    /** Why it failed. */
    backup_failure: string | null;
    /** What precedes a command of Tillpost on this server, such as `queues list`. */
    command_prefix: string;
    /** How many seconds this process has been running. */
    uptime_seconds: number;
    /** The runtime's version. */
    version: string;
  };
  /** How messages and calls leave this server. */
  TransportHealth: {
    /** Always `transport_health`. */
    object: "transport_health";
    /** When this was read. */
    at: string;
    /** Email, SMS and calls. */
    channels: {
      /** The channel. */
      channel: "email" | "sms" | "call";
      /** The channel's LIVE queue. */
      queue: {
        /** What is due but not in progress. */
        waiting: number;
        /** Since when the oldest has been due; null if nothing is late. */
        oldest_due_at: string | null;
        /** What is scheduled or will be retried later. */
        scheduled: number;
        /** What a process is working on. */
        under_way: number;
        /** What is no longer tried because processes crashed or stalled with it. `tillpost queues` lists and releases it. */
        set_aside: number;
      };
      /** The channel's transports. Empty if none is set up, or no worker is running. */
      transports: {
        /** The name that messages sent through it have in `provider`. */
        name: string;
        /** The protocol: `relay`, `mx`, `smpp`, `sip`, `http`; later versions can add more. */
        kind: string;
        /** `idle`: not used yet. `paused`: the other side asked to slow down. `down`: it can't be used. `silent`: its process stopped reporting. */
        state: "idle" | "up" | "paused" | "down" | "silent";
        /** Since when it has this state. */
        since: string | null;
        /** When it will be used or tried again. */
        paused_until: string | null;
        /** The last error, which may be resolved by now. */
        error: {
          /** A message for people. */
          message: string;
          /** When it happened. */
          at: string;
        } | null;
        /** How much is in progress now. */
        in_flight: number;
        /** How much can be in progress at once; null if there is no fixed limit. */
        capacity: number | null;
        /** How many processes use it. */
        processes: number;
        /** In how many of them it is up. */
        processes_up: number;
        /** When a process last reported on it. */
        reported_at: string;
        /** The last 30 minutes, the current one last. */
        minutes: {
          /** When the minute started. */
          minute: string;
          /** What was sent in this minute: SMS parts, calls, copies of emails. */
          handed: number;
          /** What was refused, deferred or lost in this minute. */
          failed: number;
        }[];
      }[];
    }[];
  };
  /** The signed-in person. */
  Me: {
    /** The person's ID. */
    id: string;
    /** Always `person`. */
    object: "person";
    /** The email address they sign in with. */
    email: string;
    /** Whether the address was confirmed. */
    email_verified: boolean;
    /** Their name. */
    name: string;
    /** The language of pages and emails. */
    language: "en" | "zh";
    /** Whether they're an operator of this installation. */
    is_operator: boolean;
    /** Whether two-step sign-in is on. */
    two_factor_enabled: boolean;
    /** Whether this session is protected by more than a password: two-step sign-in is on, or it was opened with a passkey. */
    has_second_step: boolean;
    /** Until when an operator can act without a second step; null if none is required. */
    second_step_due_at: string | null;
    /** The merchants they belong to, oldest first. */
    memberships: {
      /** The merchant. */
      merchant_id: string;
      /** Its name. */
      merchant_name: string;
      /** Only a verified merchant can accept LIVE payments. */
      verification_status: "pending" | "verified" | "rejected";
      /** Whether all its members need a second step. */
      second_step_required: boolean;
      /** The person's role there. */
      role: "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";
      /** The permissions they have there in TEST. */
      permissions_test: string[];
      /** The permissions they have there in LIVE. */
      permissions_live: string[];
    }[];
    /** The merchant of this request. */
    current: {
      /** The merchant. */
      merchant_id: string;
      /** The person's role there. */
      role: "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";
      /** The permissions they have in TEST. */
      permissions_test: string[];
      /** The permissions they have in LIVE. */
      permissions_live: string[];
    } | null;
    /** The project that paths without a project use. */
    active_project_id: string | null;
    /** The environment of requests that don't specify one. */
    active_environment: "TEST" | "LIVE";
    /** This session. */
    session_id: string;
    /** When they last confirmed their identity in this session. */
    confirmed_at: string;
    /** Until when that confirmation is enough to change keys, secrets and codes. */
    fresh_until: string;
    /** When the account was created. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
  };
  /** A place where a person is signed in. */
  PersonSession: {
    /** The session's ID. */
    id: string;
    /** Always `session`. */
    object: "session";
    /** Whether it's the session of this request. */
    is_current: boolean;
    /** The address it was opened from. */
    ip_address: string | null;
    /** The browser that opened it. */
    user_agent: string | null;
    /** When the person last confirmed their identity in it. */
    confirmed_at: string;
    /** When it expires. */
    expires_at: string;
    /** When it was opened. */
    created_at: string;
    /** When it was last extended or changed. */
    updated_at: string;
  };
  /** The result of an attempt to sign in. The session is in a cookie that scripts can't read. */
  SignIn: {
    /** Always `sign_in`. */
    object: "sign_in";
    /** Whether the cookie now contains a session. */
    signed_in: boolean;
    /** True if the password was correct and the second step is now required. */
    two_factor_required: boolean;
  };
  /** What this server offers to people who aren't signed in. */
  SignInOptions: {
    /** Always `sign_in_options`. */
    object: "sign_in_options";
    /** Whether people can create an account themselves. */
    sign_up: "invite" | "open";
    /** Whether this server sends email. If it doesn't, links to confirm, reset and join are stored for its operator. */
    sends_mail: boolean;
  };
  /** The request succeeded. */
  Done: {
    /** Always `done`. */
    object: "done";
  };
  /** What an authenticator needs, shown once. Two-step sign-in is on as soon as a first code has been verified. */
  TwoFactorSetup: {
    /** Always `two_factor_setup`. */
    object: "two_factor_setup";
    /** For the QR code that authenticators scan. */
    totp_uri: string;
    /** Each works once if the authenticator is lost. */
    recovery_codes: string[];
  };
  /** Recovery codes that replace all earlier ones. */
  RecoveryCodes: {
    /** Always `recovery_codes`. */
    object: "recovery_codes";
    /** Each works once. */
    recovery_codes: string[];
  };
  /** A confirmation of the person's identity. */
  Confirmation: {
    /** Always `confirmation`. */
    object: "confirmation";
    /** When they confirmed it. */
    confirmed_at: string;
    /** Until when keys, secrets and codes can be changed. */
    fresh_until: string;
  };
  /** An invitation, as shown to the person who has its link. */
  OpenInvitation: {
    /** Always `open_invitation`. */
    object: "open_invitation";
    /** The merchant's name. */
    merchant_name: string;
    /** The address that was invited. */
    email: string;
    /** The role they would have. */
    role: string;
    /** Language of the invitation. */
    language: string;
    /** Whether the address has an account. If so, sign in first, then accept. */
    has_account: boolean;
    /** When the link expires. */
    expires_at: string;
  };
  /** Options for the browser. */
  PasskeyOptions: {
    /** Always `passkey_options`. */
    object: "passkey_options";
    /** Options for `navigator.credentials`, in the JSON form of WebAuthn. */
    options: Record<string, unknown>;
  };
  /** A person's passkey. */
  Passkey: {
    /** The passkey's ID. */
    id: string;
    /** Always `passkey`. */
    object: "passkey";
    /** The name the person gave it. */
    name: string;
    /** `singleDevice` or `multiDevice`. */
    device_type: string;
    /** Whether it's synced to the person's other devices. */
    backed_up: boolean;
    /** When it was last used to sign in. */
    last_used_at: string | null;
    /** When it was added. */
    created_at: string;
  };
  /** A number or sender name with its project and merchant, as operators see it. */
  NumberOverview: {
    /** The number's ID. */
    id: string;
    /** Always `number`. */
    object: "number";
    /** The project that requested it. */
    project_id: string;
    /** False in TEST. */
    livemode: boolean;
    /** The number or name to send as `from` of a message or call. */
    value: string;
    /** A `number`, which includes short codes, can receive replies and belongs to one project. An `alphanumeric` sender name can't receive replies. */
    kind: "number" | "alphanumeric";
    /** The channels it can be used for. */
    channels: ("sms" | "call")[];
    /** The countries it can be used in (ISO 3166-1 alpha-2); null for all countries the project may reach. */
    countries: string[] | null;
    /** `approved` numbers can be used in LIVE. `rejected` includes revoked numbers. */
    status: "requested" | "approved" | "rejected";
    /** What the merchant told the operator. */
    purpose: string | null;
    /** Why it was rejected or revoked. */
    rejection_reason: string | null;
    /** When it was approved or rejected. */
    decided_at: string | null;
    /** Increases by one with every change. */
    version: number;
    /** When it was first requested. */
    created_at: string;
    /** When it was last updated. */
    updated_at: string;
    /** The merchant. */
    merchant_id: string;
    /** Its name. */
    merchant_name: string;
    /** The project's name. */
    project_name: string;
    /** Another project that has this number. Revoke it there first. */
    owner_project_name: string | null;
  };
  /** A paused range with its project and merchant, as operators see it. */
  MessagingPauseOverview: {
    /** The pause's ID. */
    id: string;
    /** Always `messaging_pause`. */
    object: "messaging_pause";
    /** What is paused: SMS or calls. */
    channel: "sms" | "call";
    /** The leading digits of the paused numbers, without the plus sign. */
    prefix: string;
    /** `sequential_numbers`: consecutive numbers. `no_conversions`: codes that are never entered. `dominant_prefix`: almost all traffic suddenly went to one foreign range. */
    cause: "sequential_numbers" | "dominant_prefix" | "no_conversions";
    /** The figures that led to the pause. */
    figures: {
      /** Recent messages or calls to the range. */
      messages: number;
      /** How many of them were verification codes. */
      codes: number;
      /** How many codes were entered. */
      approved: number;
      /** The range's share of all messages or calls, in percent. */
      share_percent: number;
      /** The share of consecutive numbers in the busiest block of a thousand, in percent. */
      sequential_percent: number;
    };
    /** While `active`, messages or calls to the range are refused. */
    status: "active" | "released";
    /** When it was paused. */
    paused_at: string;
    /** When it was released. */
    released_at: string | null;
    /** The project. */
    project_id: string;
    /** The merchant. */
    merchant_id: string;
    /** Its name. */
    merchant_name: string;
    /** The project's name. */
    project_name: string;
  };
  /** Where all projects' LIVE SMS and calls can go. */
  MessagingPolicy: {
    /** Always `messaging_policy`. */
    object: "messaging_policy";
    /** The only countries that LIVE SMS and calls can reach (ISO 3166-1 alpha-2); null for all that aren't denied. */
    allowed_countries: string[] | null;
    /** Countries that no project can reach, even if it allows them. */
    denied_countries: string[];
    /** Leading digits of numbers that no project can reach, without the plus sign. */
    denied_prefixes: string[];
    /** Leading digits of premium-rate, shared-cost and satellite numbers that can be reached anyway. Ranges outside any country, such as 8816, are then open to every project. */
    opened_prefixes: string[];
    /** Increases by one with every change. */
    version: number;
    /** When it was last updated. */
    updated_at: string | null;
  };
  /** What LIVE SMS and calls cost the operator. Spending caps count these prices. */
  MessagePrices: {
    /** Always `message_prices`. */
    object: "message_prices";
    /** The currency of all prices; null without a price table, when parts and minutes are counted instead. */
    currency: string | null;
    /** All prices. */
    prices: {
      /** `sms`: priced per part. `call`: priced per minute or part of a minute. */
      channel: "sms" | "call";
      /** A country, leading digits, or `*` for everywhere else. The longest match of leading digits wins, then the country. */
      destination: string;
      /** The price in millionths of the currency unit: 0.0075 is 7500. */
      price_micros: number;
    }[];
    /** Increases by one with every change. */
    version: number;
    /** When it was last updated. */
    updated_at: string | null;
  };
  SignUpRequest: {
    /** Email address. */
    email: string;
    /** At least 10 characters, and not easy to guess. */
    password: string;
    /** The person's name. */
    name: string;
    /** The language of pages and emails. */
    language?: "en" | "zh";
    /** The business's name. Defaults to the person's name. */
    merchant_name?: string;
  };
  SignInRequest: {
    /** Email address. */
    email: string;
    /** The password. */
    password: string;
    /** `false` ends the session when the browser closes. Defaults to `true`. */
    remember?: boolean;
  };
  SendVerificationEmailRequest: {
    /** Email address. */
    email: string;
  };
  VerifyEmailRequest: {
    /** The token from the link in the email. */
    token: string;
  };
  RequestPasswordResetRequest: {
    /** Email address. */
    email: string;
  };
  ResetPasswordRequest: {
    /** The token from the link in the email. */
    token: string;
    /** At least 10 characters, and not easy to guess. */
    new_password: string;
  };
  ChangePasswordRequest: {
    /** The current password. */
    current_password: string;
    /** At least 10 characters, and not easy to guess. */
    new_password: string;
  };
  ConfirmSessionRequest: {
    /** The person's password. */
    password?: string;
    /** The code the authenticator shows. */
    code?: string;
    /** The browser's response in JSON form. */
    passkey?: Record<string, unknown>;
  };
  EnableTwoFactorRequest: {
    /** The person's password again. */
    password: string;
  };
  VerifyTotpRequest: {
    /** The code the authenticator shows. */
    code: string;
    /** Don't require a second step in this browser for 30 days. */
    trust_device?: boolean;
  };
  VerifyRecoveryCodeRequest: {
    /** The code the authenticator shows. */
    code: string;
    /** Don't require a second step in this browser for 30 days. */
    trust_device?: boolean;
  };
  DisableTwoFactorRequest: {
    /** The person's password again. */
    password: string;
  };
  MakeRecoveryCodesRequest: {
    /** The person's password again. */
    password: string;
  };
  AddPasskeyRequest: {
    /** A name for it. */
    name: string;
    /** The browser's response in JSON form. */
    response: Record<string, unknown>;
  };
  SignInWithPasskeyRequest: {
    /** The browser's response in JSON form. */
    response: Record<string, unknown>;
  };
  ReadInvitationRequest: {
    /** The token from the link in the email. */
    token: string;
  };
  AcceptInvitationRequest: {
    /** The token from the link in the email. */
    token: string;
    /** The person's name. */
    name?: string;
    /** At least 10 characters, and not easy to guess. */
    password?: string;
    /** The language of pages and emails. */
    language?: "en" | "zh";
  };
  UpdateMeRequest: {
    /** The person's name. */
    name?: string;
    /** The language of pages and emails. */
    language?: "en" | "zh";
  };
  SetMessagingTierRequest: {
    /** The tier that sets the messaging API's limits. */
    messaging_tier: "free" | "starter" | "pro" | "enterprise";
  };
  RejectMerchantRequest: {
    /** The reason, as the merchant sees it. */
    reason: string;
  };
  ReviewProofRequest: {
    /** Whether the money arrived. */
    decision: "approve" | "reject";
    /** The reported payment that you looked at. If another one waits by then, the decision is refused with `order_state_conflict` and the reason `payment_changed`. */
    payment_session_id?: string;
    /** The proof that you looked at, or null if there was none. Refused in the same way if another one waits. */
    voucher_id?: string | null;
    /** Which receiving code the money went to. Required if the order's payment was never started; refused if it was started with another. */
    gateway?: Objects["PersonalGatewaySlug"];
    /** The amount that arrived, if it isn't the amount asked for. Any amount from the payable amount to the order's amount counts as paid in full. */
    received_amount_minor?: number;
    /** The exact missing amount, to accept less than the payable amount as full payment. The order stays flagged `underpaid`. */
    confirm_shortfall_minor?: number;
    /** The exact excess amount, if more than the order's amount arrived. The excess becomes an exception. */
    confirm_excess_minor?: number;
    /** The transfer number, so that the same transfer in a statement isn't counted again. */
    external_transaction_id?: string;
    /** When the money was sent: up to 5 minutes from now and up to 400 days ago. */
    paid_at?: string;
    /** Why it's rejected. The buyer sees this. */
    reason_code?: "not_received" | "amount_mismatch" | "duplicate_proof" | "unreadable" | "fraud";
    /** `true` ends the order instead of returning it to the buyer. */
    final?: boolean;
    /** A note to the buyer. */
    note?: string | null;
  };
  SuspendSendingRequest: {
    /** The reason, as the merchant sees it. */
    reason: string;
  };
  AssignNumberRequest: {
    /** The project to assign it to. */
    project_id: string;
    /** A phone number in international form, a short code, or a sender name of up to 11 letters, digits and spaces. */
    value: string;
    /** The channels to use it for. Defaults to all that the number supports and your permissions cover. */
    channels?: ("sms" | "call")[];
    /** The countries to use it in (ISO 3166-1 alpha-2). Defaults to all countries the project may reach. */
    countries?: string[] | null;
  };
  ApproveNumberRequest: {
    /** The channels to use it for. Defaults to all that the number supports and your permissions cover. */
    channels?: ("sms" | "call")[];
    /** The countries to use it in (ISO 3166-1 alpha-2). Defaults to all countries the project may reach. */
    countries?: string[] | null;
  };
  RejectNumberRequest: {
    /** The reason, as the merchant sees it. */
    reason: string;
  };
  ReplaceMessagePricesRequest: {
    /** The currency of all prices, ISO 4217. */
    currency: string;
    /** All prices. An empty list removes the price table. */
    prices?: {
      /** `sms`: priced per part. `call`: priced per minute or part of a minute. */
      channel: "sms" | "call";
      /** A country, leading digits, or `*` for everywhere else. The longest match of leading digits wins, then the country. */
      destination: string;
      /** The price in millionths of the currency unit: 0.0075 is 7500. */
      price_micros: number;
    }[];
    /** The prices as CSV, with the columns `channel`, `destination` and `price` (a decimal). */
    csv?: string;
  };
  ReplaceMessagingPolicyRequest: {
    /** The only countries that LIVE SMS and calls can reach (ISO 3166-1 alpha-2); null for all that aren't denied. */
    allowed_countries: string[] | null;
    /** Countries that no project can reach, even if it allows them. */
    denied_countries: string[];
    /** Leading digits of numbers that no project can reach, without the plus sign. */
    denied_prefixes: string[];
    /** Leading digits of premium-rate, shared-cost and satellite numbers that can be reached anyway. Ranges outside any country, such as 8816, are then open to every project. */
    opened_prefixes: string[];
  };
  UpdateMessagingCapsOfProjectRequest: {
    /** Caps that replace the tier's, higher or lower. Caps you leave out don't change. */
    operator_caps: {
      /** The daily spending cap (UTC), in millionths of the price table's currency. null removes it. */
      daily_spend_micros?: number | null;
      /** The monthly spending cap, in millionths. null removes it. */
      monthly_spend_micros?: number | null;
      /** SMS parts per day, if SMS have no prices. null removes it. */
      daily_segments?: number | null;
      /** SMS parts per month. null removes it. */
      monthly_segments?: number | null;
      /** Call minutes per day, rounded up per call, if calls have no prices. null removes it. */
      daily_minutes?: number | null;
      /** Call minutes per month. null removes it. */
      monthly_minutes?: number | null;
      /** Concurrent calls. null removes it. */
      calls_at_once?: number | null;
    };
  };
  /** A page of a list. */
  PersonSessionList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["PersonSession"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a session's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  PasskeyList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["Passkey"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a passkey's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  MerchantOverviewList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["MerchantOverview"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a merchant's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  WaitingProofList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, oldest first. */
    data: Objects["WaitingProof"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a proof's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  NumberOverviewList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["NumberOverview"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a number's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
  };
  /** A page of a list. */
  MessagingPauseOverviewList: {
    /** Always `list`. */
    object: "list";
    /** The path of this list. */
    url: string;
    /** The objects on this page, newest first. */
    data: Objects["MessagingPauseOverview"][];
    /** Whether more objects follow. */
    has_more: boolean;
    /** Pass it as `starting_after` to get the next page: a pause's ID. */
    next_cursor: string | null;
    /** The number of all matching objects. Only with `include=total_count`. */
    total_count?: number;
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
  /** Update the merchant */
  "PATCH /api/v1/merchant": {
    path: {};
    query: {};
    body: Objects["UpdateMerchantRequest"];
    answer: Objects["Merchant"];
  };
  /** List or export the audit log */
  "GET /api/v1/merchant/audit-log": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; actor_id?: string; object_id?: string; action?: string; format?: "json" | "csv" | "jsonl"; time_zone?: string };
    body: undefined;
    answer: Objects["AuditEntryList"];
  };
  /** List members */
  "GET /api/v1/merchant/members": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["MemberList"];
  };
  /** Update a member's role */
  "PATCH /api/v1/merchant/members/{id}": {
    path: { id: string };
    query: {};
    body: Objects["UpdateMemberRequest"];
    answer: Objects["Member"];
  };
  /** Remove a member */
  "DELETE /api/v1/merchant/members/{id}": {
    path: { id: string };
    query: { revoke_api_keys?: string[] };
    body: undefined;
    answer: Objects["MemberRemoval"];
  };
  /** List the API keys a member created */
  "GET /api/v1/merchant/members/{id}/api-keys": {
    path: { id: string };
    query: { include?: "total_count"[] };
    body: undefined;
    answer: Objects["ApiKeyList"];
  };
  /** List open invitations */
  "GET /api/v1/merchant/invitations": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["InvitationList"];
  };
  /** Invite a member */
  "POST /api/v1/merchant/invitations": {
    path: {};
    query: {};
    body: Objects["InviteMemberRequest"];
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
    answer: Objects["ProjectList"];
  };
  /** Create a project */
  "POST /api/v1/projects": {
    path: {};
    query: {};
    body: Objects["CreateProjectRequest"];
    answer: Objects["Project"];
  };
  /** Retrieve a project */
  "GET /api/v1/projects/{projectId}": {
    path: { projectId: string };
    query: {};
    body: undefined;
    answer: Objects["Project"];
  };
  /** Update a project */
  "PATCH /api/v1/projects/{projectId}": {
    path: { projectId: string };
    query: {};
    body: Objects["UpdateProjectRequest"];
    answer: Objects["Project"];
  };
  /** Set the active project */
  "POST /api/v1/projects/active": {
    path: {};
    query: {};
    body: Objects["SetActiveProjectRequest"];
    answer: Objects["ActiveProject"];
  };
  /** Set the active environment */
  "POST /api/v1/projects/active-environment": {
    path: {};
    query: {};
    body: Objects["SetActiveEnvironmentRequest"];
    answer: Objects["ActiveProject"];
  };
  /** List API keys */
  "GET /api/v1/projects/{projectId}/api-keys": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("active" | "revoked" | "expired")[] };
    body: undefined;
    answer: Objects["ListApiKeysList"];
  };
  /** Create an API key */
  "POST /api/v1/projects/{projectId}/api-keys": {
    path: { projectId: string };
    query: {};
    body: Objects["CreateApiKeyRequest"];
    answer: Objects["ApiKey"];
  };
  /** Update an API key */
  "PATCH /api/v1/projects/{projectId}/api-keys/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["UpdateApiKeyRequest"];
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
    body: Objects["RotateApiKeyRequest"];
    answer: Objects["ApiKey"];
  };
  /** List uses of deprecated paths */
  "GET /api/v1/projects/{projectId}/flat-path-uses": {
    path: { projectId: string };
    query: { include?: "total_count"[] };
    body: undefined;
    answer: Objects["FlatPathUseList"];
  };
  /** Create an order */
  "POST /api/v1/projects/{projectId}/orders": {
    path: { projectId: string };
    query: {};
    body: Objects["CreateOrderRequest"];
    answer: Objects["Order"];
  };
  /** List orders */
  "GET /api/v1/projects/{projectId}/orders": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("unpaid" | "pending_verify" | "paid" | "failed" | "expired" | "canceled")[]; gateway?: Objects["GatewaySlug"][]; currency?: string[]; reference?: string[]; q?: string; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; "expand[]"?: ("payment_sessions" | "payment_link" | "vouchers" | "refunds")[]; "customer[email]"?: string[]; "claimed[gte]"?: string; metadata?: Record<string, string> };
    body: undefined;
    answer: Objects["OrderList"];
  };
  /** Retrieve an order */
  "GET /api/v1/projects/{projectId}/orders/{id}": {
    path: { projectId: string; id: string };
    query: { "expand[]"?: ("payment_sessions" | "payment_link" | "vouchers" | "refunds")[] };
    body: undefined;
    answer: Objects["Order"];
  };
  /** Update an order */
  "PATCH /api/v1/projects/{projectId}/orders/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["UpdateOrderRequest"];
    answer: Objects["Order"];
  };
  /** Retrieve a payment session */
  "GET /api/v1/projects/{projectId}/payment-sessions/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["PaymentSession"];
  };
  /** Issue a new payment link */
  "POST /api/v1/projects/{projectId}/orders/{id}/payment-link": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["IssuePaymentLinkRequest"];
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
    body: Objects["ReviewOrderRequest"];
    answer: Objects["Order"];
  };
  /** Cancel an order */
  "POST /api/v1/projects/{projectId}/orders/{id}/cancel": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["CancelOrderRequest"];
    answer: Objects["Order"];
  };
  /** Dismiss a claim of payment */
  "POST /api/v1/projects/{projectId}/orders/{id}/claim/dismiss": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["DismissClaimRequest"];
    answer: Objects["Order"];
  };
  /** Simulate a payment */
  "POST /api/v1/projects/{projectId}/orders/{id}/simulate-payment": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["SimulatePaymentRequest"];
    answer: Objects["Order"];
  };
  /** List an order's proofs of payment */
  "GET /api/v1/projects/{projectId}/orders/{id}/vouchers": {
    path: { projectId: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["VoucherList"];
  };
  /** List an order's disputes */
  "GET /api/v1/projects/{projectId}/orders/{id}/disputes": {
    path: { projectId: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["DisputeList"];
  };
  /** List an order's events */
  "GET /api/v1/projects/{projectId}/orders/{id}/events": {
    path: { projectId: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["EventList"];
  };
  /** List an order's reviews */
  "GET /api/v1/projects/{projectId}/orders/{id}/reviews": {
    path: { projectId: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["ReviewList"];
  };
  /** Start a payment */
  "POST /api/v1/projects/{projectId}/orders/{id}/payments": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["StartPaymentRequest"];
    answer: Objects["PaymentSession"];
  };
  /** List an order's payment sessions */
  "GET /api/v1/projects/{projectId}/orders/{id}/payments": {
    path: { projectId: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["PaymentSessionList"];
  };
  /** Refund an order */
  "POST /api/v1/projects/{projectId}/orders/{id}/refunds": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["CreateRefundRequest"];
    answer: Objects["Refund"];
  };
  /** List an order's refunds */
  "GET /api/v1/projects/{projectId}/orders/{id}/refunds": {
    path: { projectId: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["RefundList"];
  };
  /** List refunds */
  "GET /api/v1/projects/{projectId}/refunds": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("pending" | "requires_action" | "unknown" | "succeeded" | "failed")[]; gateway?: Objects["GatewaySlug"][]; currency?: string[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; order_id?: string };
    body: undefined;
    answer: Objects["RefundList"];
  };
  /** Retrieve a refund */
  "GET /api/v1/projects/{projectId}/refunds/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["Refund"];
  };
  /** Mark a refund as failed */
  "POST /api/v1/projects/{projectId}/refunds/{id}/fail": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["FailRefundRequest"];
    answer: Objects["Refund"];
  };
  /** Reverse a mistaken payment */
  "POST /api/v1/projects/{projectId}/orders/{id}/reverse": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["ReversePaymentRequest"];
    answer: Objects["Order"];
  };
  /** List orders to review */
  "GET /api/v1/projects/{projectId}/reviews/queue": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; "expand[]"?: ("payment_sessions" | "payment_link" | "vouchers" | "refunds")[] };
    body: undefined;
    answer: Objects["ListReviewQueueList"];
  };
  /** Submit a proof of payment */
  "POST /api/v1/projects/{projectId}/orders/{id}/voucher": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["SubmitVoucherRequest"] | FormData;
    answer: Objects["Voucher"];
  };
  /** List exceptions */
  "GET /api/v1/projects/{projectId}/exceptions": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("open" | "resolved")[]; gateway?: Objects["GatewaySlug"][]; currency?: string[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; kind?: ("late" | "duplicate" | "underpaid" | "overpaid" | "unmatched" | "mismatch")[]; order_id?: string };
    body: undefined;
    answer: Objects["PaymentExceptionList"];
  };
  /** Retrieve an exception */
  "GET /api/v1/projects/{projectId}/exceptions/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["PaymentException"];
  };
  /** Resolve an exception */
  "POST /api/v1/projects/{projectId}/exceptions/{id}/resolve": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["ResolveExceptionRequest"];
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
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("completed" | "held" | "reversed")[]; gateway?: Objects["GatewaySlug"][]; currency?: string[]; reference?: string[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; project_id?: string; type?: ("payment" | "refund" | "fee" | "adjustment" | "reversal" | "payout")[]; order_id?: string[]; format?: "json" | "csv" | "jsonl"; time_zone?: string };
    body: undefined;
    answer: Objects["TransactionList"];
  };
  /** List or export wallets */
  "GET /api/v1/wallets": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; gateway?: Objects["GatewaySlug"][]; currency?: string[]; project_id?: string; format?: "json" | "csv" | "jsonl"; time_zone?: string };
    body: undefined;
    answer: Objects["WalletList"];
  };
  /** Retrieve a transaction */
  "GET /api/v1/transactions/{id}": {
    path: { id: string };
    query: { project_id?: string };
    body: undefined;
    answer: Objects["Transaction"];
  };
  /** Retrieve a wallet */
  "GET /api/v1/wallets/{id}": {
    path: { id: string };
    query: { project_id?: string };
    body: undefined;
    answer: Objects["Wallet"];
  };
  /** Upload an image */
  "POST /api/v1/projects/{projectId}/assets/upload": {
    path: { projectId: string };
    query: {};
    body: FormData;
    answer: Objects["Asset"];
  };
  /** Delete an image */
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
    answer: Objects["CollectionProfileList"];
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
    body: Objects["PutCollectionProfileRequest"];
    answer: Objects["CollectionProfile"];
  };
  /** List gateways */
  "GET /api/v1/projects/{projectId}/gateways": {
    path: { projectId: string };
    query: { include?: "total_count"[] };
    body: undefined;
    answer: Objects["GatewayList"];
  };
  /** Create a payment through a gateway */
  "POST /api/v1/projects/{projectId}/gateways/{slug}/payments": {
    path: { projectId: string; slug: string };
    query: {};
    body: Objects["CreateGatewayPaymentRequest"];
    answer: Objects["GatewayPayment"];
  };
  /** Find a payment by its reference */
  "GET /api/v1/projects/{projectId}/gateways/{slug}/payments": {
    path: { projectId: string; slug: string };
    query: { reference?: string };
    body: undefined;
    answer: Objects["GatewayPayment"];
  };
  /** List an order's payments at gateways */
  "GET /api/v1/projects/{projectId}/orders/{id}/gateway-payments": {
    path: { projectId: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["GatewayPaymentList"];
  };
  /** Add a gateway account */
  "POST /api/v1/projects/{projectId}/gateways/{slug}/credentials": {
    path: { projectId: string; slug: string };
    query: {};
    body: Objects["CreateGatewayCredentialRequest"];
    answer: Objects["GatewayCredential"];
  };
  /** List gateway accounts */
  "GET /api/v1/projects/{projectId}/gateways/{slug}/credentials": {
    path: { projectId: string; slug: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["GatewayCredentialList"];
  };
  /** Retrieve a gateway account */
  "GET /api/v1/projects/{projectId}/gateways/{slug}/credentials/{id}": {
    path: { projectId: string; slug: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["GatewayCredential"];
  };
  /** Update a gateway account */
  "PATCH /api/v1/projects/{projectId}/gateways/{slug}/credentials/{id}": {
    path: { projectId: string; slug: string; id: string };
    query: {};
    body: Objects["UpdateGatewayCredentialRequest"];
    answer: Objects["GatewayCredential"];
  };
  /** Remove a gateway account */
  "DELETE /api/v1/projects/{projectId}/gateways/{slug}/credentials/{id}": {
    path: { projectId: string; slug: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** Check a gateway account */
  "POST /api/v1/projects/{projectId}/gateways/{slug}/credentials/{id}/check": {
    path: { projectId: string; slug: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["GatewayCredential"];
  };
  /** List calls of a gateway account */
  "GET /api/v1/projects/{projectId}/gateways/{slug}/credentials/{id}/attempts": {
    path: { projectId: string; slug: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; reference?: string[]; outcome?: ("succeeded" | "declined" | "not_found" | "conflict" | "already_paid" | "auth" | "rate_limited" | "invalid" | "unavailable" | "unknown_outcome")[]; verb?: ("check" | "create" | "query" | "capture" | "close" | "refund" | "query_refund" | "list_settled" | "verify" | "identify")[] };
    body: undefined;
    answer: Objects["GatewayAttemptList"];
  };
  /** Test a gateway account's setup */
  "GET /api/v1/projects/{projectId}/gateways/{slug}/credentials/{id}/setup": {
    path: { projectId: string; slug: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["GatewaySetup"];
  };
  /** List refused callbacks of a gateway account */
  "GET /api/v1/projects/{projectId}/gateways/{slug}/credentials/{id}/refused-callbacks": {
    path: { projectId: string; slug: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; reason?: ("signature" | "stale" | "unknown_key" | "malformed" | "unsupported" | "nobody")[] };
    body: undefined;
    answer: Objects["RefusedCallbackList"];
  };
  /** List receipts */
  "GET /api/v1/projects/{projectId}/receipts": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("unmatched" | "matched" | "linked" | "ignored")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; channel?: ("wechat" | "alipay")[] };
    body: undefined;
    answer: Objects["ReceiptList"];
  };
  /** Record a receipt */
  "POST /api/v1/projects/{projectId}/receipts": {
    path: { projectId: string };
    query: {};
    body: Objects["RecordReceiptRequest"];
    answer: Objects["Receipt"];
  };
  /** Retrieve a receipt */
  "GET /api/v1/projects/{projectId}/receipts/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["Receipt"];
  };
  /** Link a receipt to an order */
  "POST /api/v1/projects/{projectId}/receipts/{id}/link": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["LinkReceiptRequest"];
    answer: Objects["Receipt"];
  };
  /** Unlink a receipt */
  "POST /api/v1/projects/{projectId}/receipts/{id}/unlink": {
    path: { projectId: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["Receipt"];
  };
  /** Ignore a receipt */
  "POST /api/v1/projects/{projectId}/receipts/{id}/ignore": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["IgnoreReceiptRequest"];
    answer: Objects["Receipt"];
  };
  /** Update many receipts */
  "POST /api/v1/projects/{projectId}/receipts/bulk": {
    path: { projectId: string };
    query: {};
    body: Objects["ChangeReceiptsRequest"];
    answer: Objects["ReceiptBulk"];
  };
  /** Preview a statement */
  "POST /api/v1/projects/{projectId}/receipts/import": {
    path: { projectId: string };
    query: {};
    body: FormData;
    answer: Objects["ReceiptImportPreview"];
  };
  /** Apply a previewed statement */
  "POST /api/v1/projects/{projectId}/receipts/import/{previewId}/apply": {
    path: { projectId: string; previewId: string };
    query: {};
    body: undefined;
    answer: Objects["ReceiptImport"];
  };
  /** Register a webhook endpoint */
  "POST /api/v1/projects/{projectId}/webhooks": {
    path: { projectId: string };
    query: {};
    body: Objects["CreateWebhookRequest"];
    answer: Objects["Webhook"];
  };
  /** List webhook endpoints */
  "GET /api/v1/projects/{projectId}/webhooks": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["WebhookList"];
  };
  /** Retrieve a webhook endpoint */
  "GET /api/v1/projects/{projectId}/webhooks/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["Webhook"];
  };
  /** Update a webhook endpoint */
  "PATCH /api/v1/projects/{projectId}/webhooks/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["UpdateWebhookRequest"];
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
    body: Objects["TestWebhookRequest"];
    answer: Objects["WebhookAttempt"];
  };
  /** Roll the secret */
  "POST /api/v1/projects/{projectId}/webhooks/{id}/roll-secret": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["RollWebhookSecretRequest"];
    answer: Objects["Webhook"];
  };
  /** Promote the next secret */
  "POST /api/v1/projects/{projectId}/webhooks/{id}/promote-secret": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["PromoteWebhookSecretRequest"];
    answer: Objects["Webhook"];
  };
  /** Resend missed events */
  "POST /api/v1/projects/{projectId}/webhooks/{id}/replay": {
    path: { projectId: string; id: string };
    query: {};
    body: Objects["ReplayWebhookEventsRequest"];
    answer: Objects["WebhookReplay"];
  };
  /** Resend an attempt's event */
  "POST /api/v1/projects/{projectId}/webhooks/{id}/attempts/{attemptId}/retry": {
    path: { projectId: string; id: string; attemptId: string };
    query: {};
    body: Objects["RetryWebhookAttemptRequest"];
    answer: Objects["WebhookAttempt"];
  };
  /** List delivery attempts */
  "GET /api/v1/projects/{projectId}/webhooks/{id}/attempts": {
    path: { projectId: string; id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("started" | "succeeded" | "failed")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; event_id?: string[]; event?: string[]; trigger?: ("automatic" | "manual" | "replay" | "test")[] };
    body: undefined;
    answer: Objects["WebhookAttemptList"];
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
    body: Objects["RollCallbackSecretRequest"];
    answer: Objects["CallbackSecret"];
  };
  /** Promote the next callback secret */
  "POST /api/v1/projects/{projectId}/callback-secret/promote": {
    path: { projectId: string };
    query: {};
    body: Objects["PromoteCallbackSecretRequest"];
    answer: Objects["CallbackSecret"];
  };
  /** Retrieve a project's messaging limits */
  "GET /api/v1/projects/{projectId}/messaging-limits": {
    path: { projectId: string };
    query: {};
    body: undefined;
    answer: Objects["MessagingLimits"];
  };
  /** Update a project's messaging limits */
  "PATCH /api/v1/projects/{projectId}/messaging-limits": {
    path: { projectId: string };
    query: {};
    body: Objects["UpdateMessagingLimitsRequest"];
    answer: Objects["MessagingLimits"];
  };
  /** Retrieve spending on LIVE SMS and calls */
  "GET /api/v1/projects/{projectId}/messaging-spend": {
    path: { projectId: string };
    query: {};
    body: undefined;
    answer: Objects["MessagingSpend"];
  };
  /** List paused ranges */
  "GET /api/v1/projects/{projectId}/messaging-pauses": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("active" | "released")[] };
    body: undefined;
    answer: Objects["MessagingPauseList"];
  };
  /** Release a paused range */
  "POST /api/v1/projects/{projectId}/messaging-pauses/{id}/release": {
    path: { projectId: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["MessagingPause"];
  };
  /** List events */
  "GET /api/v1/projects/{projectId}/events": {
    path: { projectId: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: ("total_count" | "tests")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; event?: string[]; delivery_success?: "true" | "false" | "waiting" | "given_up" };
    body: undefined;
    answer: Objects["EventList"];
  };
  /** Retrieve an event */
  "GET /api/v1/projects/{projectId}/events/{id}": {
    path: { projectId: string; id: string };
    query: {};
    body: undefined;
    answer: Objects["Event"];
  };
  /** List an event's deliveries */
  "GET /api/v1/projects/{projectId}/events/{id}/deliveries": {
    path: { projectId: string; id: string };
    query: { include?: "total_count"[] };
    body: undefined;
    answer: Objects["WebhookDeliveryList"];
  };
  /** Follow events */
  "GET /api/v1/projects/{projectId}/events/stream": {
    path: { projectId: string };
    query: { event?: string[]; include?: "tests"[] };
    body: undefined;
    answer: undefined;
  };
  /** Send an email */
  "POST /v1/emails": {
    path: {};
    query: {};
    body: Objects["CreateEmailRequest"];
    answer: Objects["Email"];
  };
  /** List emails */
  "GET /v1/emails": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("scheduled" | "queued" | "sending" | "delivery_delayed" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; after?: string; before?: string; q?: string; from?: string[]; to?: string[]; tag?: string[]; batch_id?: string[] };
    body: undefined;
    answer: Objects["EmailList"];
  };
  /** Retrieve an email */
  "GET /v1/emails/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Email"];
  };
  /** Reschedule an email */
  "PATCH /v1/emails/{id}": {
    path: { id: string };
    query: {};
    body: Objects["RescheduleEmailRequest"];
    answer: Objects["Email"];
  };
  /** Cancel an email */
  "POST /v1/emails/{id}/cancel": {
    path: { id: string };
    query: {};
    body: Objects["CancelEmailRequest"];
    answer: Objects["Email"];
  };
  /** List an email's events */
  "GET /v1/emails/{id}/events": {
    path: { id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; after?: string; before?: string };
    body: undefined;
    answer: Objects["EventList"];
  };
  /** List an email's delivery attempts */
  "GET /v1/emails/{id}/attempts": {
    path: { id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; after?: string; before?: string; recipient?: string[] };
    body: undefined;
    answer: Objects["EmailAttemptList"];
  };
  /** Retrieve an email's source */
  "GET /v1/emails/{id}/source": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: undefined;
  };
  /** Send an SMS */
  "POST /v1/sms": {
    path: {};
    query: {};
    body: Objects["CreateSmsRequest"];
    answer: Objects["Sms"];
  };
  /** List SMS */
  "GET /v1/sms": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("scheduled" | "queued" | "sending" | "sent" | "delivered" | "undelivered" | "failed" | "canceled" | "received")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; after?: string; before?: string; q?: string; direction?: ("outbound" | "inbound")[]; from?: string[]; to?: string[]; tag?: string[]; batch_id?: string[] };
    body: undefined;
    answer: Objects["SmsList"];
  };
  /** Estimate an SMS */
  "POST /v1/sms/estimate": {
    path: {};
    query: {};
    body: Objects["EstimateSmsRequest"];
    answer: Objects["SmsEstimate"];
  };
  /** Retrieve an SMS */
  "GET /v1/sms/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Sms"];
  };
  /** Reschedule an SMS */
  "PATCH /v1/sms/{id}": {
    path: { id: string };
    query: {};
    body: Objects["RescheduleSmsRequest"];
    answer: Objects["Sms"];
  };
  /** Cancel an SMS */
  "POST /v1/sms/{id}/cancel": {
    path: { id: string };
    query: {};
    body: Objects["CancelSmsRequest"];
    answer: Objects["Sms"];
  };
  /** Delete an SMS's text */
  "DELETE /v1/sms/{id}/body": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** List an SMS's events */
  "GET /v1/sms/{id}/events": {
    path: { id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; after?: string; before?: string };
    body: undefined;
    answer: Objects["EventList"];
  };
  /** List an SMS's attempts */
  "GET /v1/sms/{id}/attempts": {
    path: { id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; after?: string; before?: string };
    body: undefined;
    answer: Objects["SmsAttemptList"];
  };
  /** List an SMS's parts */
  "GET /v1/sms/{id}/parts": {
    path: { id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; after?: string; before?: string };
    body: undefined;
    answer: Objects["SmsPartList"];
  };
  /** Send up to 100 SMS */
  "POST /v1/sms/batch": {
    path: {};
    query: {};
    body: Objects["CreateSmsBatchRequest"];
    answer: Objects["Batch"];
  };
  /** List conversations */
  "GET /v1/sms/threads": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; after?: string; before?: string; number?: string[]; contact?: string[]; q?: string };
    body: undefined;
    answer: Objects["SmsThreadList"];
  };
  /** Place a call */
  "POST /v1/calls": {
    path: {};
    query: {};
    body: Objects["CreateCallRequest"];
    answer: Objects["Call"];
  };
  /** List calls */
  "GET /v1/calls": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("scheduled" | "queued" | "initiated" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; after?: string; before?: string; q?: string; from?: string[]; to?: string[]; tag?: string[]; batch_id?: string[] };
    body: undefined;
    answer: Objects["CallList"];
  };
  /** Retrieve a call */
  "GET /v1/calls/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Call"];
  };
  /** Reschedule a call */
  "PATCH /v1/calls/{id}": {
    path: { id: string };
    query: {};
    body: Objects["RescheduleCallRequest"];
    answer: Objects["Call"];
  };
  /** Hang up */
  "POST /v1/calls/{id}/hangup": {
    path: { id: string };
    query: {};
    body: Objects["HangUpCallRequest"];
    answer: Objects["Call"];
  };
  /** Delete a call's text and keys */
  "DELETE /v1/calls/{id}/body": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** List a call's events */
  "GET /v1/calls/{id}/events": {
    path: { id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; after?: string; before?: string };
    body: undefined;
    answer: Objects["EventList"];
  };
  /** List a call's recordings */
  "GET /v1/calls/{id}/recordings": {
    path: { id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; after?: string; before?: string };
    body: undefined;
    answer: Objects["RecordingList"];
  };
  /** Delete a recording */
  "DELETE /v1/calls/{id}/recordings/{recordingId}": {
    path: { id: string; recordingId: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** Start a verification */
  "POST /v1/verifications": {
    path: {};
    query: {};
    body: Objects["CreateVerificationRequest"];
    answer: Objects["Verification"];
  };
  /** List verifications */
  "GET /v1/verifications": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("pending" | "approved" | "failed" | "expired" | "canceled")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; after?: string; before?: string; to?: string[]; channel?: ("sms" | "call" | "email")[] };
    body: undefined;
    answer: Objects["VerificationList"];
  };
  /** Retrieve approval rates */
  "GET /v1/verifications/conversion": {
    path: {};
    query: { days?: number };
    body: undefined;
    answer: Objects["VerificationConversion"];
  };
  /** Retrieve a verification */
  "GET /v1/verifications/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Verification"];
  };
  /** Check a code */
  "POST /v1/verifications/{id}/check": {
    path: { id: string };
    query: {};
    body: Objects["CheckVerificationRequest"];
    answer: Objects["Verification"];
  };
  /** Check a recipient's code */
  "POST /v1/verifications/check": {
    path: {};
    query: {};
    body: Objects["CheckNewestVerificationRequest"];
    answer: Objects["Verification"];
  };
  /** Resend the code */
  "POST /v1/verifications/{id}/resend": {
    path: { id: string };
    query: {};
    body: Objects["ResendVerificationRequest"];
    answer: Objects["Verification"];
  };
  /** Cancel a verification */
  "POST /v1/verifications/{id}/cancel": {
    path: { id: string };
    query: {};
    body: Objects["CancelVerificationRequest"];
    answer: Objects["Verification"];
  };
  /** Send up to 100 emails */
  "POST /v1/emails/batch": {
    path: {};
    query: {};
    body: Objects["CreateEmailBatchRequest"];
    answer: Objects["Batch"];
  };
  /** List batches */
  "GET /v1/batches": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; after?: string; before?: string };
    body: undefined;
    answer: Objects["BatchList"];
  };
  /** Retrieve a batch */
  "GET /v1/batches/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Batch"];
  };
  /** Simulate a recipient action */
  "POST /v1/test/inbound": {
    path: {};
    query: {};
    body: Objects["SimulateInboundRequest"];
    answer: Objects["Inbound"];
  };
  /** Add a domain */
  "POST /v1/domains": {
    path: {};
    query: {};
    body: Objects["CreateDomainRequest"];
    answer: Objects["Domain"];
  };
  /** List domains */
  "GET /v1/domains": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("pending" | "verified" | "failed")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; after?: string; before?: string };
    body: undefined;
    answer: Objects["DomainList"];
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
  /** Verify a domain */
  "POST /v1/domains/{id}/verify": {
    path: { id: string };
    query: {};
    body: Objects["VerifyDomainRequest"];
    answer: Objects["Domain"];
  };
  /** Suppress an address */
  "POST /v1/suppressions": {
    path: {};
    query: {};
    body: Objects["CreateSuppressionRequest"];
    answer: Objects["Suppression"];
  };
  /** List suppressions */
  "GET /v1/suppressions": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; after?: string; before?: string; channel?: ("email" | "sms" | "call")[]; reason?: ("bounce" | "complaint" | "unsubscribe" | "manual")[]; address?: string[]; q?: string };
    body: undefined;
    answer: Objects["SuppressionList"];
  };
  /** Retrieve a suppression */
  "GET /v1/suppressions/{id}": {
    path: { id: string };
    query: { channel?: "email" | "sms" | "call" };
    body: undefined;
    answer: Objects["Suppression"];
  };
  /** Remove a suppression */
  "DELETE /v1/suppressions/{id}": {
    path: { id: string };
    query: { channel?: "email" | "sms" | "call" };
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** Request a number or sender name */
  "POST /v1/numbers": {
    path: {};
    query: {};
    body: Objects["CreateNumberRequest"];
    answer: Objects["ProjectNumber"];
  };
  /** List numbers and sender names */
  "GET /v1/numbers": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("requested" | "approved" | "rejected")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; after?: string; before?: string; kind?: ("number" | "alphanumeric")[] };
    body: undefined;
    answer: Objects["ProjectNumberList"];
  };
  /** Retrieve a number or sender name */
  "GET /v1/numbers/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["ProjectNumber"];
  };
  /** Remove a number or sender name */
  "DELETE /v1/numbers/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Deleted"];
  };
  /** Retrieve usage and quotas */
  "GET /v1/usage": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["Usage"];
  };
  /** Show an image */
  "GET /assets/{id}": {
    path: { id: string };
    query: { expires: string; signature: string };
    body: undefined;
    answer: undefined;
  };
  /** Play a recording */
  "GET /recordings/{id}": {
    path: { id: string };
    query: { expires: string; signature: string };
    body: undefined;
    answer: undefined;
  };
  /** Retrieve a payment page */
  "GET /api/public/pay/{token}": {
    path: { token: string };
    query: {};
    body: undefined;
    answer: Objects["PaymentPage"];
  };
  /** Start a payment */
  "POST /api/public/pay/{token}/initiate": {
    path: { token: string };
    query: {};
    body: Objects["InitiatePaymentRequest"];
    answer: Objects["PaymentSession"];
  };
  /** Report a payment */
  "POST /api/public/pay/{token}/report": {
    path: { token: string };
    query: {};
    body: Objects["ReportPaymentRequest"];
    answer: Objects["PaymentPage"];
  };
  /** Withdraw a report */
  "POST /api/public/pay/{token}/report/withdraw": {
    path: { token: string };
    query: {};
    body: Objects["WithdrawReportRequest"];
    answer: Objects["PaymentPage"];
  };
  /** Simulate a payment on a TEST page */
  "POST /api/public/pay/{token}/simulate": {
    path: { token: string };
    query: {};
    body: Objects["SimulateOnPageRequest"];
    answer: Objects["PaymentPage"];
  };
  /** Submit a proof of payment */
  "POST /api/public/pay/{token}/voucher": {
    path: { token: string };
    query: {};
    body: Objects["SendProofRequest"] | FormData;
    answer: Objects["SendProofResponse"];
  };
  /** Follow a payment page */
  "GET /api/public/pay/{token}/events": {
    path: { token: string };
    query: {};
    body: undefined;
    answer: undefined;
  };
  /** Retrieve sign-in options */
  "GET /api/auth/options": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["SignInOptions"];
  };
  /** Create an account */
  "POST /api/auth/sign-up/email": {
    path: {};
    query: {};
    body: Objects["SignUpRequest"];
    answer: Objects["Done"];
  };
  /** Sign in */
  "POST /api/auth/sign-in/email": {
    path: {};
    query: {};
    body: Objects["SignInRequest"];
    answer: Objects["SignIn"];
  };
  /** Sign out */
  "POST /api/auth/sign-out": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["Done"];
  };
  /** Resend the confirmation email */
  "POST /api/auth/send-verification-email": {
    path: {};
    query: {};
    body: Objects["SendVerificationEmailRequest"];
    answer: Objects["Done"];
  };
  /** Confirm an email address */
  "POST /api/auth/verify-email": {
    path: {};
    query: {};
    body: Objects["VerifyEmailRequest"];
    answer: Objects["Done"];
  };
  /** Request a password reset */
  "POST /api/auth/request-password-reset": {
    path: {};
    query: {};
    body: Objects["RequestPasswordResetRequest"];
    answer: Objects["Done"];
  };
  /** Set a new password */
  "POST /api/auth/reset-password": {
    path: {};
    query: {};
    body: Objects["ResetPasswordRequest"];
    answer: Objects["Done"];
  };
  /** Change the password */
  "POST /api/auth/change-password": {
    path: {};
    query: {};
    body: Objects["ChangePasswordRequest"];
    answer: Objects["Done"];
  };
  /** Confirm your identity */
  "POST /api/auth/confirm": {
    path: {};
    query: {};
    body: Objects["ConfirmSessionRequest"];
    answer: Objects["Confirmation"];
  };
  /** Set up two-step sign-in */
  "POST /api/auth/two-factor/enable": {
    path: {};
    query: {};
    body: Objects["EnableTwoFactorRequest"];
    answer: Objects["TwoFactorSetup"];
  };
  /** Verify a code */
  "POST /api/auth/two-factor/verify-totp": {
    path: {};
    query: {};
    body: Objects["VerifyTotpRequest"];
    answer: Objects["SignIn"];
  };
  /** Use a recovery code */
  "POST /api/auth/two-factor/verify-recovery-code": {
    path: {};
    query: {};
    body: Objects["VerifyRecoveryCodeRequest"];
    answer: Objects["SignIn"];
  };
  /** Turn off two-step sign-in */
  "POST /api/auth/two-factor/disable": {
    path: {};
    query: {};
    body: Objects["DisableTwoFactorRequest"];
    answer: Objects["Done"];
  };
  /** Create new recovery codes */
  "POST /api/auth/two-factor/recovery-codes": {
    path: {};
    query: {};
    body: Objects["MakeRecoveryCodesRequest"];
    answer: Objects["RecoveryCodes"];
  };
  /** Start adding a passkey */
  "POST /api/auth/passkey/register-options": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["PasskeyOptions"];
  };
  /** Add the passkey the browser created */
  "POST /api/auth/passkey/register": {
    path: {};
    query: {};
    body: Objects["AddPasskeyRequest"];
    answer: Objects["Passkey"];
  };
  /** Start signing in with a passkey */
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
    body: Objects["SignInWithPasskeyRequest"];
    answer: Objects["SignIn"];
  };
  /** Retrieve an invitation */
  "POST /api/auth/invitation": {
    path: {};
    query: {};
    body: Objects["ReadInvitationRequest"];
    answer: Objects["OpenInvitation"];
  };
  /** Accept an invitation */
  "POST /api/auth/accept-invitation": {
    path: {};
    query: {};
    body: Objects["AcceptInvitationRequest"];
    answer: Objects["Done"];
  };
  /** Retrieve the current user */
  "GET /api/profile/me": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["Me"];
  };
  /** Update name or language */
  "PATCH /api/profile/me": {
    path: {};
    query: {};
    body: Objects["UpdateMeRequest"];
    answer: Objects["Me"];
  };
  /** List sessions */
  "GET /api/profile/sessions": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["PersonSessionList"];
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
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["PasskeyList"];
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
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("pending" | "verified" | "rejected")[]; q?: string };
    body: undefined;
    answer: Objects["MerchantOverviewList"];
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
    body: Objects["SetMessagingTierRequest"];
    answer: Objects["MerchantOverview"];
  };
  /** List any merchant's projects */
  "GET /api/admin/merchants/{id}/projects": {
    path: { id: string };
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["ProjectList"];
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
    body: Objects["RejectMerchantRequest"];
    answer: Objects["MerchantOverview"];
  };
  /** List proofs of all merchants */
  "GET /api/admin/proofs": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[] };
    body: undefined;
    answer: Objects["WaitingProofList"];
  };
  /** Approve or reject a merchant's proof */
  "POST /api/admin/proofs/{id}/review": {
    path: { id: string };
    query: {};
    body: Objects["ReviewProofRequest"];
    answer: Objects["Order"];
  };
  /** Retrieve system health */
  "GET /api/admin/health": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["SystemHealth"];
  };
  /** List or export the audit log of all merchants */
  "GET /api/admin/audit-log": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; actor_id?: string; object_id?: string; action?: string; format?: "json" | "csv" | "jsonl"; time_zone?: string };
    body: undefined;
    answer: Objects["AuditEntryList"];
  };
  /** List system emails */
  "GET /api/admin/emails": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("scheduled" | "queued" | "sending" | "delivery_delayed" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled")[]; "created[gte]"?: string; "created[gt]"?: string; "created[lte]"?: string; "created[lt]"?: string; to?: string[] };
    body: undefined;
    answer: Objects["EmailList"];
  };
  /** Retrieve a system email */
  "GET /api/admin/emails/{id}": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["Email"];
  };
  /** List all refused callbacks */
  "GET /api/admin/refused-callbacks": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; reason?: ("signature" | "stale" | "unknown_key" | "malformed" | "unsupported" | "nobody")[] };
    body: undefined;
    answer: Objects["RefusedCallbackList"];
  };
  /** Suspend a merchant's LIVE sending */
  "POST /api/admin/merchants/{id}/suspend-sending": {
    path: { id: string };
    query: {};
    body: Objects["SuspendSendingRequest"];
    answer: Objects["MerchantOverview"];
  };
  /** Lift the suspension of a merchant's LIVE sending */
  "POST /api/admin/merchants/{id}/resume-sending": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["MerchantOverview"];
  };
  /** List all projects' LIVE numbers */
  "GET /api/admin/numbers": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("requested" | "approved" | "rejected")[]; q?: string };
    body: undefined;
    answer: Objects["NumberOverviewList"];
  };
  /** Assign a number to a project */
  "POST /api/admin/numbers": {
    path: {};
    query: {};
    body: Objects["AssignNumberRequest"];
    answer: Objects["NumberOverview"];
  };
  /** Approve a number, or change its use */
  "POST /api/admin/numbers/{id}/approve": {
    path: { id: string };
    query: {};
    body: Objects["ApproveNumberRequest"];
    answer: Objects["NumberOverview"];
  };
  /** Reject or revoke a number */
  "POST /api/admin/numbers/{id}/reject": {
    path: { id: string };
    query: {};
    body: Objects["RejectNumberRequest"];
    answer: Objects["NumberOverview"];
  };
  /** Retrieve the price table for SMS and calls */
  "GET /api/admin/message-prices": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["MessagePrices"];
  };
  /** Replace the price table for SMS and calls */
  "PUT /api/admin/message-prices": {
    path: {};
    query: {};
    body: Objects["ReplaceMessagePricesRequest"];
    answer: Objects["MessagePrices"];
  };
  /** Retrieve the messaging policy */
  "GET /api/admin/messaging-policy": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["MessagingPolicy"];
  };
  /** Replace the messaging policy */
  "PUT /api/admin/messaging-policy": {
    path: {};
    query: {};
    body: Objects["ReplaceMessagingPolicyRequest"];
    answer: Objects["MessagingPolicy"];
  };
  /** Retrieve any project's messaging limits */
  "GET /api/admin/projects/{id}/messaging-limits": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["MessagingLimits"];
  };
  /** Set a project's caps */
  "PATCH /api/admin/projects/{id}/messaging-limits": {
    path: { id: string };
    query: {};
    body: Objects["UpdateMessagingCapsOfProjectRequest"];
    answer: Objects["MessagingLimits"];
  };
  /** Retrieve any project's spending on LIVE SMS and calls */
  "GET /api/admin/projects/{id}/messaging-spend": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["MessagingSpend"];
  };
  /** List all projects' paused ranges */
  "GET /api/admin/messaging-pauses": {
    path: {};
    query: { limit?: number; starting_after?: string; ending_before?: string; include?: "total_count"[]; status?: ("active" | "released")[] };
    body: undefined;
    answer: Objects["MessagingPauseOverviewList"];
  };
  /** Release any project's paused range */
  "POST /api/admin/messaging-pauses/{id}/release": {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Objects["MessagingPauseOverview"];
  };
  /** Retrieve the transports */
  "GET /api/admin/transports": {
    path: {};
    query: {};
    body: undefined;
    answer: Objects["TransportHealth"];
  };
}
