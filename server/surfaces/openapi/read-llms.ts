import { Reply } from '../../base/contract/reply'
import type { AnonymousCall } from '../../base/core/call'
import { documents } from './documents'

/**
 * GET /llms.txt: what this is and where its documentation stands, for language models.
 * @see {@link https://llmstxt.org}
 */
export async function readLlms({ platform }: Pick<AnonymousCall, 'platform'>): Promise<Reply> {
  const { baseUrl } = platform.config
  const pages = Object.entries(documents).map(
    ([name, { title, about }]) => `- [${title}](${baseUrl}/docs/${name}): ${about}`,
  )
  const text = `# Countersign

> An OAuth 2.0 authorization server for agents that pay. An agent requests one purchase, its person approves it or has set rules that allow it, and the agent gets a signed mandate for exactly this purchase, which is charged at most once.

- To buy for a person from a model host, use the tool server \`@countersign/tools\`. The person makes a setup token in their wallet (Agents, Add an agent), with which the agent registers.
- To build an agent, use the client library \`@countersign/tools/client\`, or the HTTP interface.
- A payment is made only when its status is \`paid\` (tool server) or \`succeeded\` (HTTP). Nothing else means paid.

## Interface

- [OpenAPI 3.1](${baseUrl}/openapi.json): every endpoint, with schemas
- [Server metadata](${baseUrl}/.well-known/oauth-authorization-server): what the server supports (RFC 8414)
- [Errors](${baseUrl}/docs/errors): every error code, what causes it and what to do

## Documentation

${pages.join('\n')}
`
  return Reply.text(text, 'text/plain; charset=utf-8', { headers: { 'cache-control': 'public, max-age=300' } })
}
