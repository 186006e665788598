import * as z from 'zod'
import { CountersignError } from '../errors.js'
import { expectPrincipalAnswer } from '../wallet/failures.js'
import { requestData } from '../wallet/request-data.js'
import { accessReply, portabilityDump } from '../wallet/wire.js'
import { defineTool } from './define-tool.js'
import { principalToken } from './fields.js'

/** Requests the person's data (GDPR Articles 15 and 20). */
export const agentDsarInitiate = defineTool({
  name: 'agent_dsar_initiate',
  title: 'Ask for the data of the user',
  description:
    'Asks for the data of the user, on their wish. `access` has a copy of all of it mailed to them, within a day: ' +
    'this is what "all my data" means. `portability` answers at once with JSON for another service: who they are, ' +
    'their agents and their audit entries, nothing more. Each can be asked ten times a day. On `consent_required` ' +
    'show the user link and code, then call again with the same arguments.',
  input: z.strictObject({
    right: z.enum(['access', 'portability']).describe('access: everything, by e-mail; portability: a part, as JSON'),
    principal_token: principalToken,
    delivery_preference: z
      .enum(['email', 'synchronous_json'])
      .default('email')
      .describe('Leave it out, the right decides: access is mailed, portability comes as JSON'),
  }),
  output: z.object({ ...accessReply.partial().shape, ...portabilityDump.partial().shape }),
  exactOutput: z.union([accessReply.strict(), portabilityDump.strict()]),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run({ right, principal_token: token, delivery_preference: delivery }, { settings, ...host }) {
    if (right === 'access' && delivery === 'synchronous_json') {
      throw new CountersignError('access is delivered by e-mail', 'For JSON at once, call with right `portability`.')
    }
    const scope = 'privacy:dsar'
    const reply = await requestData({ settings, host, scope }, token, right)
    const output: z.infer<typeof accessReply> | z.infer<typeof portabilityDump> =
      right === 'access'
        ? expectPrincipalAnswer(reply, { schema: accessReply, scope })
        : expectPrincipalAnswer(reply, { schema: portabilityDump, scope })
    return { output }
  },
})
