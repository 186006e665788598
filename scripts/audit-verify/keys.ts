import * as z from 'zod'
import { ProtocolError } from '@/server/base/protocol/errors'
import { parsePublicJwk } from '@/server/base/protocol/jwk'
import type { DocumentVerification } from '@/server/base/protocol/jws'
import { importKey } from '@/server/base/protocol/key-import'
import { readJson, sendRequest, UsageError } from '../operator-client'
import { parseJson, readText } from './read-range'

export type FindKey = DocumentVerification['findKey']

const keySet = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) })

/** Reads a key set from a file or an address. */
export async function readKeys(place: string): Promise<FindKey> {
  const isAddress = /^https?:\/\//.test(place)
  const parsed = keySet.safeParse(
    isAddress ? await readJson(await sendRequest(place)) : parseJson(readText(place), place),
  )
  if (!parsed.success) throw new UsageError(`${place} is no key set.`)
  return async (kid) => {
    const jwk = parsed.data.keys.find((key) => key.kid === kid)
    return jwk === undefined ? undefined : (await importKey(parsePublicJwk(jwk))).key
  }
}

/** Reads one public key, given as JSON or as a file name, and returns a function that finds it by its thumbprint. */
export async function readWitnessKey(given: string): Promise<FindKey> {
  const text = given.trimStart().startsWith('{') ? given : readText(given)
  try {
    const { key, thumbprint } = await importKey(parsePublicJwk(parseJson(text, 'The witness key')))
    return (kid) => (kid === thumbprint ? key : undefined)
  } catch (cause) {
    if (cause instanceof ProtocolError) throw new UsageError(`The witness key is no public JWK: ${cause.message}.`)
    throw cause
  }
}
