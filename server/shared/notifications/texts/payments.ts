/** Why a payment failed, by the processor's code. */
const reasons: Readonly<Record<string, string>> = {
  amount_not_supported: 'The card processor cannot charge this amount in this currency.',
  authentication_required: 'The bank asked the cardholder to confirm the payment, and they did not.',
  authorization_withdrawn: 'The permission to pay was withdrawn before the card was charged.',
  canceled: 'The payment was cancelled before the card was charged.',
  card_declined: 'The card was declined.',
  currency_not_supported: 'The card processor cannot charge this currency.',
  expired_card: 'The card has expired.',
  insufficient_funds: 'The card has insufficient funds.',
  payment_intent_authentication_failure: 'The bank could not confirm that it was the cardholder.',
  processor_error: 'The card processor had an error.',
  processor_unavailable: 'The card processor could not be reached; the card was not charged.',
  wrong_amount: 'The card processor charged another amount than was ordered; it is being given back.',
}

/** The texts of messages about payments. */
export const paymentTexts = {
  card: (name: string) => `your card (${name})`,
  paid: {
    subject: (money: string, shop: string) => `You paid ${money} to ${shop}`,
    text: (money: string, shop: string, card: string) => `Your agent paid ${money} to ${shop} with ${card}.`,
  },
  failed: {
    subject: (money: string, shop: string) => `A payment of ${money} to ${shop} did not go through`,
    tried: (money: string, shop: string, card: string) => `Your agent tried to pay ${money} to ${shop} with ${card}.`,
    notCharged: (reason: string) => `${reason} Nothing was charged.`,
    reasons,
    otherReason: 'The payment was declined.',
  },
  refund: {
    subject: (money: string) => `${money} is being given back to you`,
    text: (money: string) =>
      `Your card was charged ${money} for a payment that had not gone through with us. We are giving the money back; your bank shows it within a few days.`,
  },
  disputes: {
    what: (money: string, shop: string) => `${money} to ${shop}`,
    pending: {
      subject: (what: string) => `Your payment of ${what} is disputed`,
      text: 'A dispute about it was opened at your bank and is being looked into. You will hear how it ends.',
    },
    won: {
      subject: (what: string) => `The dispute about ${what} is over: the payment stands`,
      text: 'It was closed in favour of the merchant. Nothing more is charged.',
    },
    lost: {
      subject: (what: string) => `The dispute about ${what} is over: the money goes back`,
      text: 'It was closed in your favour, and your bank returns the money to your card.',
    },
  },
  nearLimit: {
    kinds: { daily_cap: 'daily limit', weekly_cap: 'weekly limit', monthly_cap: 'monthly limit' },
    subject: (percent: number, limit: string) => `You have used ${percent}% of your ${limit}`,
    used: (used: string, limit: string, cap: string) => `Your agents have used ${used} of your ${limit} of ${cap}.`,
    left: (money: string, until: string) => `${money} is left until ${until}.`,
    usedUp: (until: string) => `Your limit is used up until ${until}. Until then every payment needs your approval.`,
    midnight: 'midnight UTC',
  },
}
