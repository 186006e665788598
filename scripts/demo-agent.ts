/**
 * `npm run demo:agent`: runs a scripted model host, whose agents use every kind of tool over stdio against a running
 * server, and prints what the model and the person see. The transcript in docs/agents.md is its output.
 */
import { demoPerson } from '@/server/surfaces/seed/demo-person'
import { tellStory } from './demo/agent-story'
import { checkServer } from './demo/run-demo'
import { startToolHost } from './demo/tool-host'
import { Transcript } from './demo/transcript'
import { Wallet } from './demo/wallet'
import { openOperator, readBaseUrl, readEnvironment, reportOutcome, runCommand } from './operator-client'

reportOutcome(
  await runCommand(async () => {
    const env = readEnvironment()
    const baseUrl = readBaseUrl(env)
    await checkServer(baseUrl)
    const operator = openOperator(env, baseUrl)
    const wallet = await Wallet.open(operator, demoPerson.id)
    const host = await startToolHost(baseUrl)
    const lines: string[] = []
    try {
      await tellStory({ operator, host, wallet, transcript: new Transcript(baseUrl, (line) => void lines.push(line)) })
    } finally {
      await host.close()
    }
    return { code: 0, text: lines.join('\n') }
  }),
)
