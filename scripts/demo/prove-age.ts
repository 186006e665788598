import { join } from 'node:path'
import * as z from 'zod'
import { CommandError, type OperatorClient, readDataDir } from '../operator-client'
import { answerRequest } from '../wallet/answer-request'
import { openHolder } from '../wallet/holder'
import { issuePid } from '../wallet/pid-issuer'
import { green, type Narrator } from './narrator'
import { PortalSession } from './portal-session'

/** The age that the demo proves. */
export const AGE = 18
const REGION = 'EU'
const ok = green('✓')

const page = z.object({ proofs: z.array(z.object({ age: z.int(), status: z.string(), issuer: z.string() })) })
const request = z.object({ id: z.string(), link: z.string() })

/** Removes Ada's proofs of age, so that each run starts without one. */
export async function forgetAge({ baseUrl }: OperatorClient): Promise<void> {
  const portal = await PortalSession.open(baseUrl)
  const { proofs } = page.parse(await portal.query('age.read'))
  for (const { age } of proofs) await portal.mutate('age.remove', { age })
}

/**
 * Proves Ada's age: the test wallet gets a PID of a test issuer, which the sandbox's operator adds to the trust list,
 * and answers the request that the portal starts.
 */
export async function proveAge({ narrator }: { readonly narrator: Narrator }, operator: OperatorClient): Promise<void> {
  const holder = await openHolder(join(readDataDir(process.env), 'wallet'))
  await issuePid(holder, operator, REGION)
  const trustText = `${ok} test person identification issued · its issuer is trusted in ${REGION}`
  narrator.step({ name: 'credential', title: 'Test wallet', text: trustText, members: { region: REGION } })
  const portal = await PortalSession.open(operator.baseUrl)
  const { link } = request.parse(await portal.mutate('age.prove', { age: AGE }))
  const shown = await answerRequest(holder, link, { declines: false })
  const { proofs } = page.parse(await portal.query('age.read'))
  const proof = proofs.find(({ age, status }) => age === AGE && status === 'valid')
  if (proof === undefined) throw new CommandError('The wallet app answered, but the portal shows no proof.')
  const text = `${ok} ${shown.replace(/ to .*/, '')} and nothing else · ${operator.baseUrl}/settings/age`
  narrator.step({ name: 'age', title: 'Prove your age', text, members: { age: AGE, issuer: proof.issuer } })
}

const receipt = z.object({ age_equal_or_over: z.record(z.string(), z.literal(true)) })

/** Prints the age that the merchant read in the mandate, from the merchant's own receipt. */
export function showDisclosedAge(narrator: Narrator, result: Readonly<Record<string, unknown>>): void {
  const read = receipt.safeParse(result['receipt'])
  if (!read.success) throw new CommandError('The merchant sold without a proof of age.')
  const { age_equal_or_over: disclosed } = read.data
  const text = `${ok} disclosed to the merchant: age_equal_or_over ${JSON.stringify(disclosed)} · nothing else about Ada`
  narrator.step({ name: 'disclosed', title: 'Proof of age', text, members: { age_equal_or_over: disclosed } })
}
