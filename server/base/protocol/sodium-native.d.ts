/** The package brings no types; only this is used of it. */
declare module 'sodium-native' {
  const sodium: {
    crypto_sign_verify_detached(signature: Buffer, message: Buffer, publicKey: Buffer): boolean
  }
  export default sodium
}
