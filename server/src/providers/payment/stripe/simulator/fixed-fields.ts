const nulls = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, null]));

/** What Stripe's account always has besides its id and its name. */
export const fixedAccount = {
  ...nulls("email"),
  charges_enabled: true,
  details_submitted: true,
  payouts_enabled: true,
  settings: {
    branding: nulls("icon logo primary_color secondary_color"),
    card_payments: nulls("statement_descriptor_prefix statement_descriptor_prefix_kana statement_descriptor_prefix_kanji"),
    payments: {
      ...nulls("statement_descriptor statement_descriptor_kana statement_descriptor_kanji statement_descriptor_prefix_kana"),
      ...nulls("statement_descriptor_prefix_kanji"),
    },
  },
  type: "standard",
};

/** What Stripe's other objects always have besides the fields that the simulator decides. */
export const fixedFields: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "checkout.session": {
    ...nulls("after_expiration allow_promotion_codes allowed_payment_method_types billing_address_collection client_secret"),
    ...nulls("collected_information consent consent_collection currency_conversion customer customer_account customer_creation"),
    ...nulls("customer_details customer_email discounts integration_identifier invoice invoice_creation managed_payments"),
    ...nulls("origin_context payment_link payment_method_collection payment_method_configuration_details payment_method_options"),
    ...nulls("permissions recovered_from saved_payment_method_options setup_intent shipping_address_collection shipping_cost"),
    ...nulls("submit_type subscription total_details wallet_options"),
    adaptive_pricing: { enabled: false },
    automatic_tax: { enabled: false, ...nulls("liability provider status") },
    custom_fields: [],
    custom_text: nulls("after_submit shipping_address submit terms_of_service_acceptance"),
    payment_method_types: ["card", "sepa_debit"],
    shipping_options: [],
    ui_mode: "hosted_page",
  },
  payment_intent: {
    ...nulls("allowed_payment_method_types application application_fee_amount automatic_payment_methods canceled_at"),
    ...nulls("cancellation_reason client_secret customer customer_account excluded_payment_method_types managed_payments next_action"),
    ...nulls("on_behalf_of payment_method payment_method_configuration_details payment_method_options payment_record processing"),
    ...nulls("receipt_email review setup_future_usage shipping source statement_descriptor statement_descriptor_suffix transfer_group"),
    amount_capturable: 0,
    capture_method: "automatic_async",
    confirmation_method: "automatic",
    payment_method_types: ["card", "sepa_debit"],
  },
  charge: {
    ...nulls("application application_fee application_fee_amount calculated_statement_descriptor customer description"),
    ...nulls("failure_balance_transaction failure_code failure_message fraud_details on_behalf_of outcome payment_method"),
    ...nulls("receipt_email receipt_number receipt_url review shipping source source_transfer statement_descriptor"),
    ...nulls("statement_descriptor_suffix transfer_data transfer_group"),
    billing_details: nulls("address email name phone tax_id"),
    captured: true,
  },
  refund: nulls("customer customer_account payment_method receipt_number source_transfer_reversal transfer_reversal"),
  dispute: {
    ...nulls("intended_submission_method"),
    enhanced_eligibility_types: [],
    evidence: {
      ...nulls("access_activity_log billing_address cancellation_policy cancellation_policy_disclosure cancellation_rebuttal"),
      ...nulls("customer_communication customer_email_address customer_name customer_purchase_ip customer_signature"),
      ...nulls("duplicate_charge_documentation duplicate_charge_explanation duplicate_charge_id product_description receipt"),
      ...nulls("refund_policy refund_policy_disclosure refund_refusal_explanation service_date service_documentation"),
      ...nulls("shipping_address shipping_carrier shipping_date shipping_documentation shipping_tracking_number"),
      ...nulls("uncategorized_file uncategorized_text"),
      enhanced_evidence: {},
    },
    evidence_details: {
      ...nulls("due_by"),
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    is_charge_refundable: false,
  },
  balance_transaction: { ...nulls("description exchange_rate"), balance_type: "payments" },
};
