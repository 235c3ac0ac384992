// What DenseCode points to. Included by a file for each instruction set; templates on it, so that none shares a symbol with
// another (../scalar/isa_code.hpp).
#pragma once

#include <type_traits>

#include "../scalar/isa_code.hpp"
#include "dense_code.hpp"
#include "plucker/scalar/pack.hpp"

namespace plucker::impulses {

// Eight numbers in registers that hold fewer.
template <class Register>
struct Eight {
    static constexpr int kParts = 8 / Register::kLanes;
    struct Mask {
        typename Register::Mask parts[kParts];
        friend Mask operator|(const Mask& a, const Mask& b) {
            Mask out;
            for (int i = 0; i < kParts; ++i) out.parts[i] = a.parts[i] | b.parts[i];
            return out;
        }
        friend bool any(const Mask& a) {
            bool out = false;
            for (const auto& part : a.parts) out = out || any(part);
            return out;
        }
    };
    Register parts[kParts];

    Eight() = default;
    explicit Eight(double x) {
        for (Register& part : parts) part = Register(x);
    }
    static Eight load(const double* from) {
        Eight out;
        for (int i = 0; i < kParts; ++i) out.parts[i] = Register::load(from + i * Register::kLanes);
        return out;
    }
    void store(double* to) const {
        for (int i = 0; i < kParts; ++i) parts[i].store(to + i * Register::kLanes);
    }
    template <class Result, class F>
    static Result each(const F& f) {
        Result out;
        for (int i = 0; i < kParts; ++i) out.parts[i] = f(i);
        return out;
    }
    friend Eight operator+(const Eight& a, const Eight& b) {
        return each<Eight>([&](int i) { return a.parts[i] + b.parts[i]; });
    }
    friend Eight operator-(const Eight& a, const Eight& b) {
        return each<Eight>([&](int i) { return a.parts[i] - b.parts[i]; });
    }
    friend Eight operator*(const Eight& a, const Eight& b) {
        return each<Eight>([&](int i) { return a.parts[i] * b.parts[i]; });
    }
    friend Eight operator/(const Eight& a, const Eight& b) {
        return each<Eight>([&](int i) { return a.parts[i] / b.parts[i]; });
    }
    friend Eight operator-(const Eight& a) {
        return each<Eight>([&](int i) { return -a.parts[i]; });
    }
    Eight& operator+=(const Eight& b) { return *this = *this + b; }
    friend Mask operator<(const Eight& a, const Eight& b) {
        return each<Mask>([&](int i) { return a.parts[i] < b.parts[i]; });
    }
    friend Mask operator>(const Eight& a, const Eight& b) { return b < a; }
    friend Mask operator<=(const Eight& a, const Eight& b) {
        return each<Mask>([&](int i) { return a.parts[i] <= b.parts[i]; });
    }
    friend Mask operator!=(const Eight& a, const Eight& b) {
        return each<Mask>([&](int i) { return a.parts[i] != b.parts[i]; });
    }
    friend Eight select(const Mask& mask, const Eight& a, const Eight& b) {
        return each<Eight>([&](int i) { return select(mask.parts[i], a.parts[i], b.parts[i]); });
    }
    friend Eight abs(const Eight& a) {
        return each<Eight>([&](int i) { return abs(a.parts[i]); });
    }
    friend Eight sqrt(const Eight& a) {
        return each<Eight>([&](int i) { return sqrt(a.parts[i]); });
    }
};

template <class ThisIsa>
struct DenseKernels {
    // Eight numbers, however many registers these take: sums are the same for all widths.
    using Register = plucker::detail::RegisterOf<double, ThisIsa>;
    using V = std::conditional_t<Register::kLanes == 8, Register, Eight<Register>>;

    // Of a row, the eights from the one that holds `first`.
    static void add_from(int first, int pitch, double a, const double* __restrict x,
                         double* __restrict y) {
        for (int k = first & ~7; k < pitch; k += 8) {
            for (int i = 0; i < 8; ++i) y[k + i] += a * x[k + i];
        }
    }
    static void add(int pitch, double a, const double* x, double* y) {
        add_from(0, pitch, a, x, y);
    }

    // Rows of one block share their coordinates, and what is read of S.
    static void combine(int rows, int count, int pitch, const double* w, const int* at,
                        const double* S, double* y) {
        if (rows == 3) return combine_rows<3>(count, pitch, w, at, S, y);
        for (int r = 0; r < rows; ++r)
            combine_rows<1>(count, pitch, w + static_cast<long>(r) * count, at, S,
                            y + static_cast<long>(r) * pitch);
    }
    template <int kRows>
    static void combine_rows(int count, int pitch, const double* w, const int* at, const double* S,
                             double* y) {
        const auto sum_up = [&]<int kEights>(int k) __attribute__((always_inline)) {
            V sums[kRows][kEights];
            for (auto& row : sums) {
                for (V& sum : row) sum = V(0);
            }
            for (int j = 0; j < count; ++j) {
                const double* from = S + static_cast<long>(at[j]) * pitch + k;
                for (int r = 0; r < kRows; ++r) {
                    const V factor(w[static_cast<long>(r) * count + j]);
                    for (int e = 0; e < kEights; ++e) sums[r][e] += factor * V::load(from + 8 * e);
                }
            }
            for (int r = 0; r < kRows; ++r) {
                for (int e = 0; e < kEights; ++e)
                    sums[r][e].store(y + static_cast<long>(r) * pitch + k + 8 * e);
            }
        };
        int k = 0;
        for (; k + 24 <= pitch; k += 24) sum_up.template operator()<3>(k);
        for (; k + 16 <= pitch; k += 16) sum_up.template operator()<2>(k);
        for (; k < pitch; k += 8) sum_up.template operator()<1>(k);
    }

    static void read(int count, int pitch, const int* at, const double* S, const double* x,
                     double* y) {
        for (int j = 0; j < count; ++j)
            y[at[j]] += product(0, pitch, S + static_cast<long>(at[j]) * pitch, x);
    }

    // Rows are columns too: y gathers them, some of its eights at a time in registers.
    static void multiply(int n, int pitch, const double* G, const double* x, const double* g,
                         double* y) {
        int k = 0;
        for (; k + 24 <= pitch; k += 24) multiply_eights<3>(n, pitch, G, x, g, y, k);
        if (k + 16 <= pitch) {
            multiply_eights<2>(n, pitch, G, x, g, y, k);
            k += 16;
        }
        if (k < pitch) multiply_eights<1>(n, pitch, G, x, g, y, k);
    }
    // Four sums side by side: none has to wait for the one before.
    template <int kEights>
    static void multiply_eights(int n, int pitch, const double* G, const double* x, const double* g,
                                double* y, int k) {
        V sums[4][kEights];
        for (int e = 0; e < kEights; ++e) {
            sums[0][e] = V::load(g + k + 8 * e);
            for (int i = 1; i < 4; ++i) sums[i][e] = V(0);
        }
        const double* column = G + k;
        int c = 0;
        for (; c + 4 <= n; c += 4) {
            for (int i = 0; i < 4; ++i) {
                const V factor(x[c + i]);
                for (int e = 0; e < kEights; ++e) sums[i][e] += factor * V::load(column + 8 * e);
                column += pitch;
            }
        }
        for (; c < n; ++c) {
            const V factor(x[c]);
            for (int e = 0; e < kEights; ++e) sums[0][e] += factor * V::load(column + 8 * e);
            column += pitch;
        }
        for (int e = 0; e < kEights; ++e)
            ((sums[0][e] + sums[1][e]) + (sums[2][e] + sums[3][e])).store(y + k + 8 * e);
    }

    // By Gauss and Jordan, four pivots at a time. The rows of the next four are done first, so that the inverse of these,
    // in which each number waits for the one before, goes on beside the rest.
    static bool invert(int n, int pitch, double* A) {
        const int end = (n + 3) & ~3;
        for (int r = n; r < end; ++r) {
            for (int c = 0; c < pitch; c += 8) V(0).store(A + static_cast<long>(r) * pitch + c);
            A[static_cast<long>(r) * pitch + r] = 1;
        }
        double D[16];
        if (end > 0 && !invert_four(pitch, A, D)) return false;
        for (int k = 0; k < end; k += 4) {
            double* const pivots = A + static_cast<long>(k) * pitch;
            take_own(k, pitch, D, pivots);
            for (int r = k + 4;; r += 4) {
                if (r >= end) r = 0;
                if (r == k) break;
                take_pivots(k, pitch, pivots, A + static_cast<long>(r) * pitch);
                if (r == k + 4 && !invert_four(pitch, A + static_cast<long>(r) * pitch + r, D))
                    return false;
            }
        }
        return true;
    }
    // Of four rows and columns, symmetric and positive: two and two.
    static bool invert_four(int pitch, const double* A, double* D) {
        const double *row0 = A, *row1 = A + pitch, *row2 = row1 + pitch, *row3 = row2 + pitch;
        const double a = row0[0], b = row0[1], c = row1[1], det = a * c - b * b;
        const double m00 = row0[2], m01 = row0[3], m10 = row1[2], m11 = row1[3];
        const double inverse = 1 / det;
        const double i00 = c * inverse, i01 = -b * inverse, i11 = a * inverse;
        // X = (first)⁻¹ M, and what is left of the second.
        const double x00 = i00 * m00 + i01 * m10, x01 = i00 * m01 + i01 * m11;
        const double x10 = i01 * m00 + i11 * m10, x11 = i01 * m01 + i11 * m11;
        const double p = row2[2] - (m00 * x00 + m10 * x10), q = row2[3] - (m00 * x01 + m10 * x11);
        const double s = row3[3] - (m01 * x01 + m11 * x11), rest = p * s - q * q;
        const double inverse_rest = 1 / rest;
        const double j00 = s * inverse_rest, j01 = -q * inverse_rest, j11 = p * inverse_rest;
        const double y00 = x00 * j00 + x01 * j01, y01 = x00 * j01 + x01 * j11;
        const double y10 = x10 * j00 + x11 * j01, y11 = x10 * j01 + x11 * j11;
        D[0] = i00 + (y00 * x00 + y01 * x01);
        D[1] = D[4] = i01 + (y00 * x10 + y01 * x11);
        D[5] = i11 + (y10 * x10 + y11 * x11);
        D[2] = D[8] = -y00;
        D[3] = D[12] = -y01;
        D[6] = D[9] = -y10;
        D[7] = D[13] = -y11;
        D[10] = j00;
        D[11] = D[14] = j01;
        D[15] = j11;
        return a > 0 && det > 0 && p > 0 && rest > 0;
    }
    // The rows of the pivots: D times what they were, and D itself.
    static void take_own(int k, int pitch, const double* D, double* pivots) {
        for (int c = 0; c < pitch; c += 8) {
            V old[4];
            for (int i = 0; i < 4; ++i) old[i] = V::load(pivots + static_cast<long>(i) * pitch + c);
            for (int i = 0; i < 4; ++i) {
                const V sum = (V(D[4 * i]) * old[0] + V(D[4 * i + 1]) * old[1]) +
                              (V(D[4 * i + 2]) * old[2] + V(D[4 * i + 3]) * old[3]);
                sum.store(pivots + static_cast<long>(i) * pitch + c);
            }
        }
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) pivots[static_cast<long>(i) * pitch + k + j] = D[4 * i + j];
        }
    }
    // Four others, which begin with nothing in the columns of the pivots.
    static void take_pivots(int k, int pitch, const double* pivots, double* rows) {
        static constexpr double kBeside[2][8] = {{0, 0, 0, 0, 1, 1, 1, 1},
                                                 {1, 1, 1, 1, 0, 0, 0, 0}};
        double *const a = rows, *const b = a + pitch, *const c = b + pitch, *const d = c + pitch;
        const double *p = pivots, *q = p + pitch, *r = q + pitch, *s = r + pitch;
        const V ap(a[k]), aq(a[k + 1]), ar(a[k + 2]), as(a[k + 3]);
        const V bp(b[k]), bq(b[k + 1]), br(b[k + 2]), bs(b[k + 3]);
        const V cp(c[k]), cq(c[k + 1]), cr(c[k + 2]), cs(c[k + 3]);
        const V dp(d[k]), dq(d[k + 1]), dr(d[k + 2]), ds(d[k + 3]);
        const auto take = [&](int i, V w, V x, V y, V z) __attribute__((always_inline)) {
            const V P = V::load(p + i), Q = V::load(q + i), R = V::load(r + i), S = V::load(s + i);
            w = w - ap * P - aq * Q - ar * R - as * S;
            x = x - bp * P - bq * Q - br * R - bs * S;
            y = y - cp * P - cq * Q - cr * R - cs * S;
            z = z - dp * P - dq * Q - dr * R - ds * S;
            w.store(a + i);
            x.store(b + i);
            y.store(c + i);
            z.store(d + i);
        };
        const int own = k & ~7;
        for (int i = 0; i < pitch; i += 8) {
            if (i == own) continue;
            take(i, V::load(a + i), V::load(b + i), V::load(c + i), V::load(d + i));
        }
        const V beside = V::load(kBeside[(k >> 2) & 1]);
        take(own, beside * V::load(a + own), beside * V::load(b + own), beside * V::load(c + own),
             beside * V::load(d + own));
    }

    // M s = b, b the last column of M; s is left there. Pivots are looked for from column `symmetric` on.
    static bool eliminate(int k, int symmetric, int pitch, double* M) {
        const auto row = [&](int r) { return M + static_cast<long>(r) * pitch; };
        for (int p = 0; p < k; ++p) {
            double* pivot = row(p);
            if (p >= symmetric) {
                int best = p;
                for (int r = p + 1; r < k; ++r) {
                    if (__builtin_fabs(row(r)[p]) > __builtin_fabs(row(best)[p])) best = r;
                }
                for (int c = p & ~7; c < pitch && best != p; c += 8) {
                    const V kept = V::load(pivot + c);
                    V::load(row(best) + c).store(pivot + c);
                    kept.store(row(best) + c);
                }
            }
            if (!(__builtin_fabs(pivot[p]) > 0)) return false;
            const double inverse = 1 / pivot[p];
            for (int r = p + 1; r < k; ++r) {
                double* own = row(r);
                const V share(own[p] * inverse);
                for (int c = p & ~7; c < pitch; c += 8)
                    (V::load(own + c) - share * V::load(pivot + c)).store(own + c);
            }
            pivot[p] = inverse;
        }
        for (int p = k - 1; p >= 0; --p) {
            const double s = row(p)[k] *= row(p)[p];
            for (int r = 0; r < p; ++r) row(r)[k] -= row(r)[p] * s;
        }
        return true;
    }

    static bool depart(int wide, const double* P, int k, int symmetric, const Departure* all,
                       double* system, double* change) {
        const int pitch = pitch_of(k + 1);
        const auto row = [&](int r) { return P + static_cast<long>(r) * wide; };
        // What the equations take of x, into a column of theirs. All is made of rows of P: where it is nearly singular its columns
        // are not the same, and do not cancel.
        const auto write = [&](const double* x, double* column) {
            for (int i = 0; i < symmetric; ++i)
                column[static_cast<long>(i) * pitch] = x[all[i].row];
            for (int i = symmetric; i < k; ++i) {
                const Departure& d = all[i];
                column[static_cast<long>(i) * pitch] =
                    d.of_impulse * (d.x * x[d.row] + d.y * x[d.second] - d.share * x[d.normal]);
            }
        };
        for (int i = 0; i < k; ++i) {
            for (int c = k & ~7; c < pitch; c += 8)
                V(0).store(system + static_cast<long>(i) * pitch + c);
        }
        double* sums = system + static_cast<long>(k) * pitch;  // of rows of P
        for (int j = 0; j < k; ++j) {
            const Departure& d = all[j];
            const double *p = row(d.row), *q = row(d.second);
            if (j >= symmetric) {
                const V x(d.x), y(d.y);
                for (int c = 0; c < wide; c += 8)
                    (x * V::load(p + c) + y * V::load(q + c)).store(sums + c);
                p = sums;
            }
            write(p, system + j);
        }
        write(change, system + k);
        for (int i = 0; i < k; ++i) {
            double* equation = system + static_cast<long>(i) * pitch;
            equation[i] += all[i].of_velocity;
            equation[k] = all[i].goal - equation[k];
        }
        if (!eliminate(k, symmetric, pitch, system)) return false;
        const auto found = [&](int i) { return system[static_cast<long>(i) * pitch + k]; };
        for (int j = 0; j < wide; j += 8) {
            V sum = V::load(change + j);
            for (int i = 0; i < symmetric; ++i) sum += V(found(i)) * V::load(row(all[i].row) + j);
            for (int i = symmetric; i < k; ++i) {
                const Departure& d = all[i];
                sum += V(found(i) * d.x) * V::load(row(d.row) + j) +
                       V(found(i) * d.y) * V::load(row(d.second) + j);
            }
            sum.store(change + j);
        }
        return true;
    }

    static void certify(const RowLaws& laws, const double* lambda, const double* sigma,
                        double* worst) {
        const V zero(0);
        V primal(0), dual(0), apart(0);
        auto is_nan = zero != zero;
        const auto worse = [](V& so_far, const V& x) { so_far = select(x > so_far, x, so_far); };
        const auto least = [](const V& a, const V& b) { return select(b < a, b, a); };
        for (int r = 0; r < laws.pitch; r += 8) {
            const V s = V::load(sigma + r), l = V::load(laws.weight + r) * V::load(lambda + r);
            is_nan = is_nan | (s != s) | (l != l);
            const auto tied = V::load(laws.tied + r) > zero;
            const auto one_sided = V::load(laws.one_sided + r) > zero;
            worse(primal, select(tied, abs(s), select(one_sided, -s, zero)));
            worse(dual, select(one_sided, -l, zero));
            worse(apart, select(one_sided, least(abs(s), abs(l)), zero));
        }
        for (int k = 0; k < laws.contacts; k += 8) {
            double parts[5][8];
            for (int i = 0; i < 8; ++i) {
                const int r = laws.first_row[k + i];
                parts[0][i] = lambda[r];
                parts[1][i] = lambda[r + 1];
                parts[2][i] = lambda[r + 2];
                parts[3][i] = sigma[r + 1];
                parts[4][i] = sigma[r + 2];
            }
            const V rho = V::load(laws.rho + k), normal = rho * V::load(parts[0]);
            const V x = rho * V::load(parts[1]), y = rho * V::load(parts[2]);
            const V radius = V::load(laws.friction + k) * select(normal > zero, normal, zero);
            worse(dual, sqrt(x * x + y * y) - radius);
            const V t_x = x - V::load(parts[3]), t_y = y - V::load(parts[4]);
            const V length = sqrt(t_x * t_x + t_y * t_y);
            const V scale = select(length <= radius, V(1), radius / length);
            const V left_x = x - scale * t_x, left_y = y - scale * t_y;
            worse(apart, sqrt(left_x * left_x + left_y * left_y));
        }
        const auto largest = [&](const V& x) {
            double numbers[8], out = 0;
            x.store(numbers);
            for (const double number : numbers) out = number > out ? number : out;
            return any(is_nan) ? __builtin_nan("") : out;
        };
        worst[0] = largest(primal);
        worst[1] = largest(dual);
        worst[2] = largest(apart);
    }

    // y -= Σ m_i x_i over four rows, from the eight that holds `first`.
    static void take_four(int first, int pitch, const double* m, const double* const* x,
                          double* __restrict y) {
        const double* __restrict p = x[0], * __restrict q = x[1], * __restrict r = x[2], * __restrict s = x[3];
        const double a = m[0], b = m[1], c = m[2], d = m[3];
        for (int k = first & ~7; k < pitch; k += 8) {
            for (int i = k; i < k + 8; ++i) y[i] -= (a * p[i] + b * q[i]) + (c * r[i] + d * s[i]);
        }
    }

    // Four rows at a time: those below are read and written a quarter as often.
    static bool factor(int n, int pitch, double* A, double* inverses) {
        const auto row = [&](int r) { return A + static_cast<long>(r) * pitch; };
        for (int k = 0; k < n; k += 4) {
            const int end = k + 4 < n ? k + 4 : n;
            for (int r = k; r < end; ++r) {
                double* U = row(r);
                for (int above = k; above < r; ++above)
                    add_from(r, pitch, -row(above)[r], row(above), U);
                if (!(U[r] > 0)) return false;
                const double inverse = 1 / __builtin_sqrt(U[r]);
                inverses[r] = inverse;
                for (int c = r & ~7; c < pitch; c += 8) {
                    for (int i = c; i < c + 8; ++i) U[i] *= inverse;
                }
            }
            if (end == n) break;
            const double* const four[] = {row(k), row(k + 1), row(k + 2), row(k + 3)};
            for (int r = end; r < n; ++r) {
                const double m[] = {four[0][r], four[1][r], four[2][r], four[3][r]};
                take_four(r, pitch, m, four, row(r));
            }
        }
        return true;
    }

    static void solve(int n, int pitch, const double* U, const double* inverses, double* x) {
        for (int r = 0; r < n; ++r) {
            const double* row = U + static_cast<long>(r) * pitch;
            const double own = x[r] * inverses[r];
            const int next = r + 1;
            int c = next;
            for (; c < n && (c & 7) != 0; ++c) x[c] -= own * row[c];
            if (c < n) add_from(c, pitch, -own, row, x);
            x[r] = own;
        }
        for (int r = n - 1; r >= 0; --r)
            x[r] = (x[r] - product(r + 1, n, U + static_cast<long>(r) * pitch, x)) * inverses[r];
    }

    static bool solve_any(int n, int symmetric, int pitch, double* A, double* b) {
        const auto row = [&](int r) { return A + static_cast<long>(r) * pitch; };
        const int end = symmetric & ~3;
        const bool is_regular = take_fours(end, n, pitch, A, [&](int k, int r, const double* m) {
            double sum = m[0] * b[k];
            for (int i = 1; i < r - k && i < 4; ++i) sum += m[i] * b[k + i];
            b[r] -= sum;
        });
        if (!is_regular) return false;
        for (int k = end; k < n; ++k) {
            if (k >= symmetric) {
                int pivot = k;
                for (int r = k + 1; r < n; ++r) {
                    if (__builtin_fabs(row(r)[k]) > __builtin_fabs(row(pivot)[k])) pivot = r;
                }
                if (pivot != k) exchange(k, pitch, row(k), row(pivot), b[k], b[pivot]);
            }
            if (!(__builtin_fabs(row(k)[k]) > 0)) return false;
            const double inverse = 1 / row(k)[k];
            for (int r = k + 1; r < n; ++r) {
                const double share = row(r)[k] * inverse;
                if (share == 0) continue;
                add_from(k, pitch, -share, row(k), row(r));
                b[r] -= share * b[k];
            }
        }
        substitute_back(end, n, pitch, A, b);
        return true;
    }
    // x from U x = b. Of rows before `end`, which were taken by fours, each square of the diagonal holds its inverse.
    static void substitute_back(int end, int n, int pitch, const double* U, double* b) {
        const auto row = [&](int r) { return U + static_cast<long>(r) * pitch; };
        for (int r = n - 1; r >= end; --r) b[r] = (b[r] - product(r + 1, n, row(r), b)) / row(r)[r];
        for (int k = end - 4; k >= 0; k -= 4) {
            double left[4];
            for (int i = 0; i < 4; ++i) left[i] = b[k + i] - product(k + 4, n, row(k + i), b);
            for (int i = 0; i < 4; ++i) {
                double sum = 0;
                for (int j = i; j < 4; ++j) sum += row(k + i)[k + j] * left[j];
                b[k + i] = sum;
            }
        }
    }
    // Rows up to `end` by fours, with pivots as they stand: U in their place, of each square's part of it the inverse, and in the
    // square below that the shares of L. took(k, r, shares) is told what row r has of rows k to k + 3, of its own four those
    // before it. False where a pivot is lost.
    template <class Took>
    static bool take_fours(int end, int n, int pitch, double* A, const Took& took) {
        for (int k = 0; k < end; k += 4) {
            double* const pivots = A + static_cast<long>(k) * pitch;
            double* const four[] = {pivots, pivots + pitch, pivots + 2L * pitch,
                                    pivots + 3L * pitch};
            double inverse[4], L[4][4];
            for (int i = 0; i < 4; ++i) {
                const double before = __builtin_fabs(four[i][k + i]);
                for (int j = 0; j < i; ++j) {
                    L[i][j] = four[i][k + j] * inverse[j];
                    add_from(k, pitch, -L[i][j], four[j], four[i]);
                }
                if (i > 0) took(k, k + i, L[i]);
                if (!(__builtin_fabs(four[i][k + i]) > 1e-12 * before)) return false;
                inverse[i] = 1 / four[i][k + i];
            }
            // The inverse of the square's U.
            double R[4][4];
            for (int i = 3; i >= 0; --i) {
                R[i][i] = inverse[i];
                for (int j = i + 1; j < 4; ++j) {
                    double sum = 0;
                    for (int m = i + 1; m <= j; ++m) sum += four[i][k + m] * R[m][j];
                    R[i][j] = -inverse[i] * sum;
                }
            }
            const int first = (k + 4) & ~7;
            int r = k + 4;
            for (; r + 4 <= n; r += 4) take_from<4>(k, r, first, pitch, R, four, A, took);
            for (; r < n; ++r) take_from<1>(k, r, first, pitch, R, four, A, took);
            for (int i = 0; i < 4; ++i) {
                for (int j = 0; j < 4; ++j) four[i][k + j] = j < i ? L[i][j] : R[i][j];
            }
        }
        return true;
    }
    template <int kRows, class Took>
    static void take_from(int k, int r, int first, int pitch, const double (*R)[4],
                          double* const* four, double* A, const Took& took) {
        double* const rows = A + static_cast<long>(r) * pitch;
        V shares[kRows][4];
        for (int i = 0; i < kRows; ++i) {
            const double* own = rows + static_cast<long>(i) * pitch + k;
            const double m[] = {
                own[0] * R[0][0], own[0] * R[0][1] + own[1] * R[1][1],
                own[0] * R[0][2] + own[1] * R[1][2] + own[2] * R[2][2],
                (own[0] * R[0][3] + own[1] * R[1][3]) + (own[2] * R[2][3] + own[3] * R[3][3])};
            took(k, r + i, m);
            for (int j = 0; j < 4; ++j) shares[i][j] = V(m[j]);
        }
        for (int c = first; c < pitch; c += 8) {
            V pivot[4];
            for (int j = 0; j < 4; ++j) pivot[j] = V::load(four[j] + c);
            for (int i = 0; i < kRows; ++i) {
                double* at = rows + static_cast<long>(i) * pitch + c;
                const V x = V::load(at);
                (x - shares[i][0] * pivot[0] - shares[i][1] * pivot[1] - shares[i][2] * pivot[2] -
                 shares[i][3] * pivot[3])
                    .store(at);
            }
        }
    }

    static void choose(int n, int pitch, const double* G, const int* __restrict chosen,
                       bool upper_half, double* __restrict A) {
        const int wide = pitch_of(n);
        for (int i = 0; i < n; ++i) {
            const double* __restrict row = G + static_cast<long>(chosen[i]) * pitch;
            double* own = A + static_cast<long>(i) * wide;
            int j = upper_half ? i & ~7 : 0;
            for (; j + 8 <= n; j += 8) {
                for (int k = 0; k < 8; ++k) own[j + k] = row[chosen[j + k]];
            }
            for (; j < n; ++j) own[j] = row[chosen[j]];
            for (; j < wide; ++j) own[j] = 0;
        }
    }

    // Pivots as they stand, four at a time, and looked for among what is left beyond fours.
    static bool factor_any(int n, int pitch, double* A, double* lower, int* pivots) {
        const auto row = [&](int r) { return A + static_cast<long>(r) * pitch; };
        const auto column = [&](int k) { return lower + static_cast<long>(k) * pitch; };
        for (int k = 0; k < n; ++k) {
            pivots[k] = k;
            for (int r = k & ~7; r < pitch; r += 8) V(0).store(column(k) + r);
        }
        const int end = n & ~3;
        const bool is_regular = take_fours(end, n, pitch, A, [&](int k, int r, const double* m) {
            for (int i = 0; r >= k + 4 && i < 4; ++i) column(k + i)[r] = m[i];
        });
        if (!is_regular) return false;
        for (int k = end; k < n; ++k) {
            int pivot = k;
            for (int r = k + 1; r < n; ++r) {
                if (__builtin_fabs(row(r)[k]) > __builtin_fabs(row(pivot)[k])) pivot = r;
            }
            pivots[k] = pivot;
            double none = 0;
            if (pivot != k) exchange(k, pitch, row(k), row(pivot), none, none);
            if (!(__builtin_fabs(row(k)[k]) > 0)) return false;
            const double inverse = 1 / row(k)[k];
            for (int r = k + 1; r < n; ++r) {
                const double share = row(r)[k] * inverse;
                column(k)[r] = share;
                if (share != 0) add_from(k, pitch, -share, row(k), row(r));
            }
        }
        return true;
    }

    static void solve_factored(int n, int pitch, const double* U, const double* lower,
                               const int* pivots, double* b) {
        const int end = n & ~3;
        const auto column = [&](int k) { return lower + static_cast<long>(k) * pitch; };
        for (int k = 0; k < end; k += 4) {
            double own[4];
            for (int i = 0; i < 4; ++i) {
                const double* L = U + static_cast<long>(k + i) * pitch + k;
                own[i] = b[k + i];
                for (int j = 0; j < i; ++j) own[i] -= L[j] * own[j];
            }
            for (int i = 0; i < 4; ++i) b[k + i] = own[i];
            // What stands before k + 4 among the shares is zero.
            for (int c = (k + 4) & ~7; c < pitch; c += 8) {
                const V sum =
                    (V(own[0]) * V::load(column(k) + c) + V(own[1]) * V::load(column(k + 1) + c)) +
                    (V(own[2]) * V::load(column(k + 2) + c) +
                     V(own[3]) * V::load(column(k + 3) + c));
                (V::load(b + c) - sum).store(b + c);
            }
        }
        for (int k = end; k < n; ++k) {
            if (const int pivot = pivots[k]; pivot != k) {
                const double kept = b[k];
                b[k] = b[pivot];
                b[pivot] = kept;
            }
            // What stands before k + 1 among the shares is zero.
            add_from(k, pitch, -b[k], column(k), b);
        }
        substitute_back(end, n, pitch, U, b);
    }

    static void exchange(int first, int pitch, double* __restrict x, double* __restrict y,
                         double& b_x, double& b_y) {
        for (int k = first & ~7; k < pitch; k += 8) {
            for (int i = k; i < k + 8; ++i) {
                const double kept = x[i];
                x[i] = y[i];
                y[i] = kept;
            }
        }
        const double kept = b_x;
        b_x = b_y;
        b_y = kept;
    }

    static void invert_row(int length, const int* path, const int* first, const double* L,
                           double inverse, double* N) {
        const int last = length - 1;
        double* own = N + first[path[last]];
        for (int j = 0; j < length; j += 8) {
            // Two sums side by side: none has to wait for the one before.
            V even(0), odd(0);
            int a = j;
            for (; a + 2 <= last; a += 2) {
                even += V(L[a]) * V::load(N + first[path[a]] + j);
                odd += V(L[a + 1]) * V::load(N + first[path[a + 1]] + j);
            }
            if (a < last) even += V(L[a]) * V::load(N + first[path[a]] + j);
            (V(-inverse) * (even + odd)).store(own + j);
        }
        own[last] = inverse;
    }
    static void respond(int length, const int* path, const int* first, const double* N,
                        const double* J, const int* column, double* X) {
        const int pitch = pitch_of(length);
        for (int j = 0; j < length; j += 8) {
            V sums[6];
            for (V& sum : sums) sum = V(0);
            for (int a = j; a < length; ++a) {
                const V row = V::load(N + first[path[a]] + j);
                const double* at = J + static_cast<long>(column[a]) * 6;
                for (int i = 0; i < 6; ++i) sums[i] += V(at[i]) * row;
            }
            for (int i = 0; i < 6; ++i) sums[i].store(X + static_cast<long>(i) * pitch + j);
        }
    }
    static void push(int count, int pitch, const double* F, const double* X, double* y) {
        for (int j = 0; j < pitch; j += 8) {
            V x[6];
            for (int i = 0; i < 6; ++i) x[i] = V::load(X + static_cast<long>(i) * pitch + j);
            for (int r = 0; r < count; ++r) {
                const double* f = F + static_cast<long>(r) * 6;
                const V sum = (V(f[0]) * x[0] + V(f[1]) * x[1] + V(f[2]) * x[2]) +
                              (V(f[3]) * x[3] + V(f[4]) * x[4] + V(f[5]) * x[5]);
                sum.store(y + static_cast<long>(r) * pitch + j);
            }
        }
    }

    // Over [first, n). Eight sums side by side, so that the order of additions is the same for all widths.
    static double product(int first, int n, const double* a, const double* b) {
        double rest = 0;
        int k = first;
        for (; k < n && (k & 7) != 0; ++k) rest += a[k] * b[k];
        double sums[8] = {};
        for (; k + 8 <= n; k += 8) {
            for (int i = 0; i < 8; ++i) sums[i] += a[k + i] * b[k + i];
        }
        for (; k < n; ++k) rest += a[k] * b[k];
        return ((sums[0] + sums[4]) + (sums[1] + sums[5])) +
               ((sums[2] + sums[6]) + (sums[3] + sums[7])) + rest;
    }

    static constexpr DenseCode code() {
        return {&multiply, &factor,     &solve,          &invert,  &depart, &certify, &solve_any,
                &choose,   &factor_any, &solve_factored, &combine, &add,    &read,    &invert_row,
                &respond,  &push};
    }
};

}  // namespace plucker::impulses
