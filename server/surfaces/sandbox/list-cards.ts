import { testCardNames, testCards } from '../../base/platform/processor/sandbox-cards'

/** Returns the cards of the sandbox, and the effect of each. */
export function listSandboxCards() {
  const cards = testCardNames.map((card) => {
    const { number, brand, description } = testCards[card]
    return { card, number, brand, description }
  })
  return Promise.resolve({ cards })
}
