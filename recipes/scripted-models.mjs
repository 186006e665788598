/**
 * Models that follow a script instead of thinking, one for each framework. A script is a list of tool calls; the last
 * answer is what the last tool said.
 */
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage } from '@langchain/core/messages'
import { Usage } from '@openai/agents'
import { MockLanguageModelV3 } from 'ai/test'

const lastTold = (value) => JSON.stringify(value)

/** For the OpenAI Agents SDK. */
export function openaiModel(script) {
  const steps = script.values()
  return {
    async getResponse({ input }) {
      const { value: call } = steps.next()
      const output =
        call === undefined
          ? {
              type: 'message',
              id: 'last',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: lastTold(input.at(-1)) }],
            }
          : { type: 'function_call', callId: call.name, name: call.name, arguments: JSON.stringify(call.args) }
      return { usage: new Usage(), output: [output] }
    },
  }
}

/** For the Vercel AI SDK. */
export function vercelModel(script) {
  const steps = script.values()
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const { value: call } = steps.next()
      if (call === undefined) {
        const content = [{ type: 'text', text: lastTold(prompt.at(-1)) }]
        return { content, finishReason: { unified: 'stop' }, usage, warnings: [] }
      }
      const input = JSON.stringify(call.args)
      const content = [{ type: 'tool-call', toolCallId: call.name, toolName: call.name, input }]
      return { content, finishReason: { unified: 'tool-calls' }, usage, warnings: [] }
    },
  })
}

/** For LangGraph.js. */
export function langchainModel(script) {
  const steps = script.values()
  class ScriptedModel extends BaseChatModel {
    _llmType() {
      return 'scripted'
    }
    bindTools() {
      return this
    }
    async _generate(messages) {
      const { value: call } = steps.next()
      const message =
        call === undefined
          ? new AIMessage(lastTold(messages.at(-1).content))
          : new AIMessage({ content: '', tool_calls: [{ id: call.name, name: call.name, args: call.args }] })
      return { generations: [{ text: '', message }] }
    }
  }
  return new ScriptedModel({})
}
