export const ko = {
  title: '내 정보',
  person: '나',
  name: '이름',
  email: '이메일',
  centers: '센터',
} as const
