/**
 * `npm run demo:agent`: runs a scripted model host, whose agents use every kind of tool over stdio against a running
 * server, and prints what the model and the person see. The transcript in docs/agents.md is its output with
 * `--placeholders`, which stand for what differs from run to run.
 */
import { parseArgs } from 'node:util'
import { demoPerson } from '@/server/surfaces/seed/demo-person'
import { tellStory } from './demo/agent-story'
import { checkServer } from './demo/run-demo'
import { startToolHost } from './demo/tool-host'
import { Transcript } from './demo/transcript'
import { Wallet } from './demo/wallet'
import { openOperator, readBaseUrl, readEnvironment, reportOutcome, runCommand } from './operator-client'

reportOutcome(
  await runCommand(async () => {
    const { values } = parseArgs({ options: { placeholders: { type: 'boolean' } } })
    const env = readEnvironment()
    const baseUrl = readBaseUrl(env)
    await checkServer(baseUrl)
    const operator = openOperator(env, baseUrl)
    const wallet = await Wallet.open(operator, demoPerson.id)
    const host = await startToolHost(baseUrl)
    const lines: string[] = []
    try {
      const placeholdersFor = values.placeholders === true ? baseUrl : null
      const transcript = new Transcript({ placeholdersFor, write: (line) => void lines.push(line) })
      await tellStory({ operator, host, wallet, transcript })
    } finally {
      await host.close()
    }
    return { code: 0, text: lines.join('\n') }
  }),
)
