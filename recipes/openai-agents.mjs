import { Agent, MCPServerStdio, run } from '@openai/agents'
import { countersign, instructions } from './server.mjs'

/** Longer than a person may take to approve. */
const PATIENCE_MS = 960_000
/** The first start of the tool server downloads it. */
const START_SECONDS = 60

/** Does the task with an agent that can pay; `model` is a name or a model of your own. */
export async function doTask(task, { model, server = countersign }) {
  const tools = new MCPServerStdio({
    name: 'countersign',
    ...server,
    clientSessionTimeoutSeconds: START_SECONDS,
    timeout: PATIENCE_MS,
    cacheToolsList: true,
  })
  await tools.connect()
  try {
    const agent = new Agent({ name: 'Buyer', instructions, model, mcpServers: [tools] })
    const { finalOutput } = await run(agent, task)
    return finalOutput
  } finally {
    await tools.close()
  }
}
