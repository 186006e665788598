/** Tables whose rows about the person are deleted. */
export const deletedTables = {
  AgeProof: { table: 'age_proofs', step: 'ageProofs', erases: ['issuer', 'region', 'source'] },
  AgentLimits: { table: 'agent_limits', step: 'limits', erases: ['currency'] },
  AuthorizationCode: {
    table: 'authorization_codes',
    step: 'codes',
    erases: ['authorization_details', 'dpop_jwk', 'jkt', 'merchant_audience', 'redirect_uri', 'resources'],
  },
  IdempotentReply: { table: 'idempotent_replies', step: 'tokens', erases: ['idempotency_key', 'sealed_reply'] },
  LimitChange: { table: 'limit_changes', step: 'limits', erases: ['after', 'before', 'session_hash'] },
  MagicLink: {
    table: 'magic_links',
    step: 'requests',
    erases: ['authorization_details', 'dpop_jwk', 'jkt', 'merchant_audience', 'redirect_uri', 'resources', 'state'],
  },
  MailedLink: { table: 'mailed_links', step: 'mailedLinks', erases: ['subject'] },
  MerchantRule: { table: 'merchant_rules', step: 'rules', erases: ['merchant_audience', 'verdict'] },
  Message: { table: 'messages', step: 'messages', erases: ['sealed_content'] },
  MessageSettings: {
    table: 'message_settings',
    step: 'channels',
    erases: ['language', 'quiet_from_minute', 'quiet_until_minute', 'summary_hour'],
  },
  NotificationEvents: { table: 'notification_events', step: 'channels', erases: ['muted'] },
  NotificationPreferences: {
    table: 'notification_preferences',
    step: 'channels',
    erases: ['confirmed_phone_e164', 'rcs_phone_e164'],
  },
  Passkey: {
    table: 'passkeys',
    step: 'credentials',
    erases: ['device_type', 'id', 'name', 'public_key', 'transports'],
  },
  PhoneCode: { table: 'phone_codes', step: 'phoneCodes', erases: ['code_hash', 'phone_e164'] },
  PortalSession: { table: 'portal_sessions', step: 'sessions', erases: ['device', 'id', 'method'] },
  // Requests of the portal. Others name no person; what was presented for them is sealed, and deleted after a day.
  PresentationRequest: {
    table: 'presentation_requests',
    step: 'presentations',
    erases: ['purpose', 'sealed_outcome', 'sealed_request', 'subject_id'],
  },
  PrincipalMerchantRule: {
    table: 'principal_merchant_rules',
    step: 'rules',
    erases: ['merchant_audience', 'verdict'],
  },
  PrivacyReply: { table: 'privacy_replies', step: 'replies', erases: ['key_hash', 'sealed_reply'] },
  PushSubscription: {
    table: 'push_subscriptions',
    step: 'channels',
    erases: ['device', 'endpoint_hash', 'language', 'sealed_subscription', 'session_handle'],
  },
  PushedRequest: {
    table: 'pushed_requests',
    step: 'requests',
    erases: ['authorization_details', 'dpop_jwk', 'jkt', 'merchant_audience', 'redirect_uri', 'resources', 'state'],
  },
  RecoveryCode: { table: 'recovery_codes', step: 'credentials', erases: ['code_hash'] },
  RememberedApproval: {
    table: 'remembered_approvals',
    step: 'approvals',
    erases: ['card_id', 'merchant_name', 'subject'],
  },
  SetupToken: { table: 'setup_tokens', step: 'agents', erases: ['limits', 'name', 'purpose', 'token_hash'] },
  SignInRequest: {
    table: 'sign_in_requests',
    step: 'sessions',
    erases: ['browser_hash', 'sealed_email', 'token_hash'],
  },
  WalletLimits: {
    table: 'wallet_limits',
    step: 'limits',
    erases: ['carried_windows', 'currency', 'other_currencies', 'time_zone'],
  },
  WebauthnChallenge: {
    table: 'webauthn_challenges',
    step: 'credentials',
    erases: ['challenge', 'nonce', 'session_id'],
  },
} as const
