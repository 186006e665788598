const DIGITS = 6
const BYTES = 6

/** Returns six digits to type, from the first 48 bits of `random`; codes are equally likely to one part in 10^8. */
export const toSixDigits = (random: Buffer): string =>
  String(random.readUIntBE(0, BYTES) % 10 ** DIGITS).padStart(DIGITS, '0')
