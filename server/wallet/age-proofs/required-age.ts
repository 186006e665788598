/** Why a purchase cannot go on until the person has proven their age. */
export function describeRequiredAge(age: number): string {
  return `The merchant sells only to people of ${age} and older. The person has yet to prove their age in their wallet.`
}

/** The page of the portal where a person proves an age. */
export function provingPage(baseUrl: string, age: number): string {
  return `${baseUrl}/settings/age?age=${age}`
}
