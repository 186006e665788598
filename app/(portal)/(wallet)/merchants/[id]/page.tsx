import type { Metadata } from 'next'
import { readText, requestLocale } from '@/components/i18n/read-text'
import { countryName } from '@/components/lib/country-name'
import { plainName } from '@/components/lib/plain-text'
import { MerchantPage } from '@/components/merchants/merchant-page'
import { verificationTexts } from '@/components/merchants/verification-messages'
import { readMerchant } from './read-merchant'

interface MerchantProps {
  readonly params: Promise<{ readonly id: string }>
}

export async function generateMetadata({ params }: MerchantProps): Promise<Metadata> {
  const merchant = await readMerchant((await params).id)
  return { title: plainName(merchant.merchant_name) }
}

export default async function Merchant({ params }: MerchantProps) {
  const merchant = await readMerchant((await params).id)
  const country = countryName(merchant.country, await requestLocale())
  return <MerchantPage merchant={merchant} country={country} text={await readText(verificationTexts)} />
}
