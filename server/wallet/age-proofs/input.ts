/** The age that people are asked to prove unless a merchant asks for another. */
export const USUAL_AGE = 18
/** The highest age that can be proven. */
export const AGE_MAX = 150
/** The longest time that a proof counts, one year, even when the credential is valid for longer. */
export const AGE_PROOF_MAX_SECONDS = 365 * 24 * 3_600
