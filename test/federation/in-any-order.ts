/** As text, in which neither the order of members nor that of lists counts. */
export function inAnyOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inAnyOrder).toSorted().join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${inAnyOrder(member)}`)
  return `{${members.toSorted().join()}}`
}
