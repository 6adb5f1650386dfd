volatile float number;

int main(void) {
  return number > 1;
}
