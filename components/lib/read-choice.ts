import 'server-only'
import { cookies } from 'next/headers'
import { chosenIn } from './remember'

/** What the reader chose of how pages look, for server components. */
export async function readChoice(name: string): Promise<string | undefined> {
  const jar = await cookies()
  return chosenIn((cookie) => jar.get(cookie)?.value, name)
}
