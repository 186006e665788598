/** The age that people are asked to prove unless a merchant asks for another. */
export const USUAL_AGE = 18
/** No person proves a greater one. */
export const AGE_MAX = 150
/** A proof counts for a year at most, however long the credential lives. */
export const AGE_PROOF_MAX_SECONDS = 365 * 24 * 3_600
