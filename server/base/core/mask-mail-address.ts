/** Returns enough of an e-mail address for its owner to recognise it: a•••@example.org. */
export function maskMailAddress(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email.slice(0, Math.max(at, 0))
  return `${first}•••${email.slice(Math.max(at, 0))}`
}
