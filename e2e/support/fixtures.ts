import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test as base } from '@playwright/test'
import { newPrincipal, type PrincipalOptions, type Target } from '@/test/support/actors'
import { openSession } from './sign-in'
import { readTarget } from './target'
import { ToolAgent } from './tool-agent'

export interface TestPerson {
  readonly principalId: string
  readonly email: string
}

interface Fixtures {
  /** The options of the test's person; set with `test.use({ personOptions: … })`. */
  personOptions: PrincipalOptions
  target: Target
  /** A person whom no other test uses, with a card that works, signed in on `page`. */
  person: TestPerson
  /** An empty state directory for the tool server. */
  home: string
  /** The tool server, registered as an agent of `person`. */
  agent: ToolAgent
}

export const test = base.extend<Fixtures>({
  personOptions: [{ card: 'success' }, { option: true }],
  target: async ({}, use) => use(readTarget()),
  person: async ({ page, target, personOptions }, use) => {
    const person = await newPrincipal(target, personOptions)
    await openSession(page, target, person.email)
    await use(person)
  },
  home: async ({}, use) => {
    const home = await mkdtemp(path.join(tmpdir(), 'countersign-agent-'))
    await use(home)
    await rm(home, { recursive: true, force: true })
  },
  agent: async ({ target, person, home }, use) => {
    const agent = await ToolAgent.start(target, home)
    try {
      await agent.register(target, person.principalId)
      await use(agent)
    } finally {
      await agent.stop()
    }
  },
})

export { expect } from '@playwright/test'
