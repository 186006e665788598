import { testCardNames, testCards } from '../../base/platform/processor/sandbox-cards'

/** The cards of the sandbox, and what each does. */
export function listSandboxCards() {
  const cards = testCardNames.map((card) => {
    const { number, brand, description } = testCards[card]
    return { card, number, brand, description }
  })
  return Promise.resolve({ cards })
}
