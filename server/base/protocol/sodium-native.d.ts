/** Types of the functions that are used here, as the package has none. */
declare module 'sodium-native' {
  const sodium: {
    crypto_sign_verify_detached(signature: Buffer, message: Buffer, publicKey: Buffer): boolean
  }
  export default sodium
}
