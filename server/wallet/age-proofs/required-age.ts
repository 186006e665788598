/** Describes to the agent why a purchase cannot continue until the person has proven their age. */
export function describeRequiredAge(age: number): string {
  return `The merchant sells only to people of ${age} and older. The person has yet to prove their age in their wallet.`
}

/** Returns the address of the portal's page where a person proves an age. */
export function provingPage(baseUrl: string, age: number): string {
  return `${baseUrl}/settings/age?age=${age}`
}
