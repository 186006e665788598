/** What forms share with the contract: plain rules without a library, since browsers load them. */

/** E.164: a plus sign and 7 to 15 digits. */
export const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/
