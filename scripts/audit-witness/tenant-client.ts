import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { importJWK, SignJWT } from 'jose'
import { ApiError, sendRequest } from '../operator-client'
import { readPrivateJwk } from './folder'

/** A client with which a tenant reads its own audit chain. */
export interface TenantClient {
  /**
   * Returns the text of an answer; waits while the quota is used up. Throws {@link ApiError} when the server refuses.
   */
  read(part: 'checkpoint' | 'range', query?: Readonly<Record<string, number>>): Promise<string>
}

interface Tenant {
  readonly baseUrl: string
  readonly tenantId: string
  /** The file with a private JWK of the tenant's wallet client. */
  readonly keyFile: string
}

const ASSERTION_SECONDS = 60
/** The longest wait for the quota, which is per minute. */
const LONGEST_WAIT_SECONDS = 120

/** Opens the chain of a tenant with the key of its wallet client. */
export function openTenant({ baseUrl, tenantId, keyFile }: Tenant): TenantClient {
  const jwk = readPrivateJwk(keyFile)
  const alg = jwk.kty === 'OKP' ? 'EdDSA' : 'ES256'
  const assert = async (): Promise<string> => {
    const now = Math.floor(Date.now() / 1000)
    const times = { iat: now, exp: now + ASSERTION_SECONDS }
    const claims = { iss: tenantId, sub: tenantId, aud: baseUrl, jti: randomUUID(), ...times }
    return new SignJWT(claims).setProtectedHeader({ alg }).sign(await importJWK({ ...jwk }, alg))
  }
  return {
    read(part, query = {}) {
      const named = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
      const parameters = new URLSearchParams([['client_id', tenantId], ...named])
      return readText(`${baseUrl}/audit/${encodeURIComponent(tenantId)}/${part}?${parameters}`, assert)
    },
  }
}

/** Requests the text, with a new assertion for each attempt, since each is accepted once. */
async function readText(url: string, assert: () => Promise<string>): Promise<string> {
  for (;;) {
    const response = await sendRequest(url, { headers: { authorization: `PrivateKeyJwt ${await assert()}` } })
    const text = await response.text()
    if (response.ok) return text
    const seconds = Number(response.headers.get('retry-after'))
    const isBusy = response.status === 429 && seconds > 0 && seconds <= LONGEST_WAIT_SECONDS
    if (!isBusy) throw new ApiError(response.status, parseBody(text))
    await wait(seconds * 1000)
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.slice(0, 200)
  }
}
