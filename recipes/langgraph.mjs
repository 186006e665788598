import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { countersign, instructions } from './server.mjs'

/** Longer than a person may take to approve. */
const PATIENCE_MS = 960_000

/** Does the task with an agent that can pay. */
export async function doTask(task, { model, server = countersign }) {
  const client = new MultiServerMCPClient({
    mcpServers: { countersign: { transport: 'stdio', defaultToolTimeout: PATIENCE_MS, ...server } },
  })
  try {
    const agent = createReactAgent({ llm: model, tools: await client.getTools(), prompt: instructions })
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: task }] })
    return messages.at(-1).content
  } finally {
    await client.close()
  }
}
