import 'server-only'
import { cookies } from 'next/headers'
import { chosenIn } from './remember'

/** Returns the reader's stored choice of theme, language or the like, in server components. */
export async function readChoice(name: string): Promise<string | undefined> {
  const jar = await cookies()
  return chosenIn((cookie) => jar.get(cookie)?.value, name)
}
