#include <math.h>
#include <stdio.h>
int main(void) {
  char name[32], line[512];
  int halves, columns, turning, count, wrong = 0, all = 0;
  double factor, omega[64], x[64], y;
  FILE *f = fopen("golden_rope.txt", "r");
  while (f && fscanf(f, " %31s", name) == 1) {
    if (name[0] == '#') { fgets(line, sizeof line, f); continue; }
    fscanf(f, "%d%d%d%lf%d", &halves, &columns, &turning, &factor, &count);
    for (int i = 0; i < turning / 2; i++) fscanf(f, "%lf", omega + i);
    for (double position; count-- && fscanf(f, "%lf", &position) == 1;) {
      for (int c = 0; c < columns; c++) fscanf(f, "%lf", x + c);
      for (int c = 0; c < columns; c++, all++) {
        int second = halves ? c >= turning / 2 : c % 2;
        int pair = halves ? c % (turning / 2) : c / 2;
        int other = halves ? pair + (second ? 0 : turning / 2) : c ^ 1;
        double a = position * omega[pair % 64];
        double across = (second ? 1 : -1) * x[other] * sin(a);
        double turned = factor * (x[c] * cos(a) + across);
        double want = c < turning ? turned : x[c];
        fscanf(f, "%lf", &y);
        wrong += fabs(want - y) > 1e-6;
      }
    }
  }
  printf("%d of %d numbers differ\n", wrong, all);
}
