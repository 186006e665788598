import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { generateText, stepCountIs } from 'ai'
import { countersign, instructions } from './server.mjs'

const MAX_STEPS = 10

/** Does the task with a model that can pay. */
export async function doTask(task, { model, server = countersign }) {
  const client = await createMCPClient({ transport: new StdioTransport(server) })
  try {
    const { text } = await generateText({
      model,
      tools: await client.tools(),
      system: instructions,
      prompt: task,
      stopWhen: stepCountIs(MAX_STEPS),
    })
    return text
  } finally {
    await client.close()
  }
}
