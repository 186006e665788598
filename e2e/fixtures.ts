import { test as base } from '@playwright/test'
import { newPrincipal, type PrincipalOptions, type Target } from '@/test/actors'
import { signIn } from './sign-in'
import { readTarget } from './target'
import { ToolAgent } from './tool-agent'

export interface TestPerson {
  readonly principalId: string
  readonly email: string
}

interface Fixtures {
  /** How the test's person is made; set with `test.use({ personOptions: … })`. */
  personOptions: PrincipalOptions
  target: Target
  /** Somebody whom no other test knows, with a card that works, signed in on `page`. */
  person: TestPerson
  /** The tool server, registered as an agent of `person`. */
  agent: ToolAgent
}

export const test = base.extend<Fixtures>({
  personOptions: [{ card: 'success' }, { option: true }],
  target: async ({}, use) => use(readTarget()),
  person: [
    async ({ page, target, personOptions }, use) => {
      const person = await newPrincipal(target, personOptions)
      await signIn(page, target, person.email)
      await use(person)
    },
    // Longer than the portal keeps anybody waiting who asks for a link while many others do.
    { timeout: 90_000 },
  ],
  agent: async ({ target, person }, use) => {
    const agent = await ToolAgent.start(target)
    try {
      await agent.register(target, person.principalId)
      await use(agent)
    } finally {
      await agent.stop()
    }
  },
})

export { expect } from '@playwright/test'
