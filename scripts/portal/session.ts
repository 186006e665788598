/** The cookie of a session of the sandbox's built-in person, opened as by the button on the sign-in page. */
export interface SessionCookie {
  readonly name: string
  readonly value: string
}

export async function openDemoSession(baseUrl: string): Promise<SessionCookie> {
  const asked = await fetch(`${baseUrl}/api/auth/csrf`)
  const { csrfToken } = (await asked.json()) as { csrfToken: string }
  const answer = await fetch(`${baseUrl}/api/auth/callback/demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl, cookie: pairsOf(asked).join('; ') },
    body: JSON.stringify({ csrfToken }),
  })
  const pair = pairsOf(answer).find((one) => one.startsWith('countersign.session='))
  if (pair === undefined) throw new Error(`no session: ${answer.status} ${await answer.text()}`)
  const at = pair.indexOf('=')
  return { name: pair.slice(0, at), value: pair.slice(at + 1) }
}

/** Returns the cookies that an answer sets, in the form of a request. */
function pairsOf(answer: Response): string[] {
  return answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
}
